import type { Models } from "../../api";
import { Card } from "../../ui";
import { ago, count, percent } from "../../ui/format";
import { metric, trainedOn } from "./metrics";

/** Key figures of the current model. */
export function CurrentModel({ models }: { models: Models }) {
  const [now] = models.versions;
  if (!now) return null;
  const accuracy = metric(now, "learner_accuracy");
  const alone = metric(now, "machine_alone");
  return (
    <Card>
      <dl class="model-numbers">
        <div>
          <dt>Current model</dt>
          <dd class="figure">Version {now.version}</dd>
          <dd class="soft small">
            trained {ago(now.created_at)} on {trainedOn(now)}
          </dd>
        </div>
        <div>
          <dt>Classifier accuracy</dt>
          <dd class="figure">{accuracy === null ? "–" : percent(accuracy)}</dd>
          <dd class="soft small">
            {accuracy === null ? "no classifier trained yet" : "agreement with people on held-out items"}
          </dd>
        </div>
        <div>
          <dt>Automation rate</dt>
          <dd class="figure">{alone === null ? "–" : percent(alone)}</dd>
          <dd class="soft small">
            {alone === null ? "not available yet" : "of items without votes can be decided by the classifier"}
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
      <dt>Error rate in the audit</dt>
      <dd class="figure">{audit?.audited ? percent(audit.wrong / audit.audited, 1) : "–"}</dd>
      <dd class="soft small">
        {audit?.audited
          ? `${count(audit.wrong)} of ${count(audit.audited)} audited${bound(audit)}`
          : "no accepted items have been audited"}
      </dd>
    </div>
  );
}

function bound({ bound, delta }: { bound: number | null; delta: number }): string {
  return bound === null ? "" : `; at most ${percent(bound, 1)} of all items (${percent(1 - delta)} confidence)`;
}
