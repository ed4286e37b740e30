import type { Certificate, Models, Reliability as ReliabilityPoint } from "../../api";
import { Reliability } from "../../charts";
import { Card } from "../../ui";
import { count, percent } from "../../ui/format";

const AGAINST = {
  known: "Right is what experts said, or what was known from the start.",
  consensus:
    "Too few labels are known for certain yet: right is what the votes alone say, which errs where votes are few.",
};
const AFTER = { known: "Machine and votes together", consensus: "The machine, corrected" };

/** Whether it is as sure as it should be, and what experts found when they looked again. */
export function Calibration({ models, at }: { models: Models; at: string }) {
  return (
    <div class="two">
      <Card title="Is it as sure as it should be?">
        {models.reliability ? (
          <>
            <p class="soft">
              Where it says it is 80 % sure, it should be right 8 times of 10: points on the dashed line. Below the line
              it is too sure, above too modest. {AGAINST[models.reliability.against]}{" "}
              {sampleSize(models.reliability.after)}
            </p>
            <Reliability
              label="How often it was right against how sure it said it was"
              rows={[
                { name: "The machine as it says it", tone: "var(--expert)", points: models.reliability.before },
                { name: AFTER[models.reliability.against], tone: "var(--machine)", points: models.reliability.after },
              ]}
            />
          </>
        ) : (
          <p class="soft">Not known yet: it takes a machine, and some items whose right label is known.</p>
        )}
      </Card>
      <Card title="What experts found">
        {models.certificate?.audited ? (
          <AuditResult
            audit={models.certificate}
            wrong={`${at}/items?filter=overruled&question=${encodeURIComponent(models.question)}`}
          />
        ) : (
          <NoAudit at={at} />
        )}
      </Card>
    </div>
  );
}

/** How many items a diagram stands on. */
function sampleSize(points: ReliabilityPoint[]): string {
  const n = points.reduce((sum, point) => sum + point.n, 0);
  return `Drawn from ${count(n)} items: a small point stands for few, and may lie far off by chance.`;
}

function AuditResult({ audit, wrong }: { audit: Certificate; wrong: string }) {
  return (
    <>
      <p>
        Experts looked again at {count(audit.audited)} of {count(audit.accepted)} accepted items, drawn at random, and
        said otherwise on <strong>{count(audit.wrong)}</strong>.
      </p>
      {audit.bound !== null && (
        <p>
          So with {percent(1 - audit.delta)} certainty, at most <strong>{percent(audit.bound, 1)}</strong> of all
          accepted items are wrong. More second looks make this bound tighter.
        </p>
      )}
      {audit.wrong > 0 && (
        <p>
          <a href={wrong}>Show the items that were wrong</a>
        </p>
      )}
    </>
  );
}

function NoAudit({ at }: { at: string }) {
  return (
    <p class="soft">
      No audit yet: no expert has looked again at accepted items. That takes an expert, and a share of items for a
      second look in the <a href={`${at}/settings`}>settings</a>; only that tells how many labels are really wrong.
    </p>
  );
}
