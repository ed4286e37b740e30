import type { Models } from "../../api";
import { Card } from "../../ui";
import { ago, count, percent } from "../../ui/format";
import { metric, trainedOn } from "./metrics";

/** The model in use, in a few numbers. */
export function CurrentModel({ models }: { models: Models }) {
  const [now] = models.versions;
  if (!now) return null;
  const accuracy = metric(now, "learner_accuracy");
  const alone = metric(now, "machine_alone");
  return (
    <Card>
      <dl class="model-numbers">
        <div>
          <dt>In use</dt>
          <dd class="figure">Version {now.version}</dd>
          <dd class="soft small">
            learnt {ago(now.created_at)} from {trainedOn(now)}
          </dd>
        </div>
        <div>
          <dt>The machine agrees with people</dt>
          <dd class="figure">{accuracy === null ? "–" : percent(accuracy)}</dd>
          <dd class="soft small">
            {accuracy === null ? "no machine was taught yet" : "of the time, on items it had not seen in its lesson"}
          </dd>
        </div>
        <div>
          <dt>It may decide alone</dt>
          <dd class="figure">{alone === null ? "–" : percent(alone)}</dd>
          <dd class="soft small">
            {alone === null ? "it is not trusted that far yet" : "of the items that nobody has voted on"}
          </dd>
        </div>
        <Audit models={models} />
      </dl>
    </Card>
  );
}

function Audit({ models }: { models: Models }) {
  const audit = models.certificate;
  return (
    <div>
      <dt>Wrong by experts' second look</dt>
      <dd class="figure">{audit?.audited ? percent(audit.wrong / audit.audited, 1) : "–"}</dd>
      <dd class="soft small">
        {audit?.audited
          ? `${count(audit.wrong)} of ${count(audit.audited)} looked at${bound(audit)}`
          : "no expert has looked again at accepted items"}
      </dd>
    </div>
  );
}

function bound({ bound, delta }: { bound: number | null; delta: number }): string {
  return bound === null ? "" : `; of all, at most ${percent(bound, 1)} (${percent(1 - delta)} sure)`;
}
