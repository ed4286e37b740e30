import type { Certificate, Models, Reliability as ReliabilityPoint } from "../../api";
import { Reliability } from "../../charts";
import { Card } from "../../ui";
import { count, percent } from "../../ui/format";

const AGAINST = {
  known: "Reference: expert votes and gold labels.",
  consensus:
    "Reference: the consensus of votes, because there are too few gold labels. It is less reliable for items with few votes.",
};
const AFTER = { known: "Classifier and votes combined", consensus: "Classifier, calibrated" };

/** The reliability diagram, and the result of the audit. */
export function Calibration({ models, at }: { models: Models; at: string }) {
  return (
    <div class="two">
      <Card title="Calibration">
        {models.reliability ? (
          <>
            <p class="soft">
              With a confidence of 80%, 8 of 10 labels should be correct: points on the dashed line. Points below the
              line are overconfident, points above it underconfident. {AGAINST[models.reliability.against]}{" "}
              {sampleSize(models.reliability.after)}
            </p>
            <Reliability
              label="Accuracy by confidence"
              rows={[
                { name: "Classifier, raw", tone: "var(--expert)", points: models.reliability.before },
                { name: AFTER[models.reliability.against], tone: "var(--machine)", points: models.reliability.after },
              ]}
            />
          </>
        ) : (
          <p class="soft">Not available yet: a trained classifier and some items with a known label are needed.</p>
        )}
      </Card>
      <Card title="Audit">
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

/** Describes the sample size of a reliability diagram. */
function sampleSize(points: ReliabilityPoint[]): string {
  const n = points.reduce((sum, point) => sum + point.n, 0);
  return `Based on ${count(n)} items. Small points represent few items and are less reliable.`;
}

function AuditResult({ audit, wrong }: { audit: Certificate; wrong: string }) {
  return (
    <>
      <p>
        Experts audited {count(audit.audited)} of {count(audit.accepted)} accepted items, selected at random, and
        corrected <strong>{count(audit.wrong)}</strong>.
      </p>
      {audit.bound !== null && (
        <p>
          With {percent(1 - audit.delta)} confidence, at most <strong>{percent(audit.bound, 1)}</strong> of all accepted
          items are wrong. A larger audit tightens this bound.
        </p>
      )}
      {audit.wrong > 0 && (
        <p>
          <a href={wrong}>Show the corrected items</a>
        </p>
      )}
    </>
  );
}

function NoAudit({ at }: { at: string }) {
  return (
    <p class="soft">
      No items have been audited yet. To measure the error rate, invite an expert and set an audit share in the{" "}
      <a href={`${at}/settings`}>settings</a>.
    </p>
  );
}
