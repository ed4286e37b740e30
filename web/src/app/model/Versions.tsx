import { useState } from "preact/hooks";
import type { Models } from "../../api";
import { Button, Card, Scroller } from "../../ui";
import { count, moment, percent } from "../../ui/format";
import { metric } from "./metrics";

const FIRST_ROWS = 10;

/** All versions of the model with their metrics. */
export function Versions({ models }: { models: Models }) {
  const [all, setAll] = useState(false);
  const shown = all ? models.versions : models.versions.slice(0, FIRST_ROWS);
  return (
    <Card title="Model versions">
      <Scroller label="Model versions">
        <table class="table">
          <thead>
            <tr>
              <th class="number">Version</th>
              <th>Trained</th>
              <th class="number">Votes</th>
              <th>Classifier</th>
              <th class="number">Accuracy</th>
              <th class="number">Automation rate</th>
              <th class="number">Calibration error</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((version) => (
              <tr key={version.version}>
                <td class="number">{version.version}</td>
                <td>{moment(version.created_at)}</td>
                <td class="number">{count(version.n_votes)}</td>
                <td>{version.machine ? "Trained" : "None"}</td>
                <td class="number">{share(metric(version, "learner_accuracy"))}</td>
                <td class="number">{share(metric(version, "machine_alone"))}</td>
                <td class="number">{share(metric(version, "calibration_error"))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
      {!all && models.versions.length > FIRST_ROWS && (
        <div>
          <Button small onClick={() => setAll(true)}>
            Show all {count(models.versions.length)}
          </Button>
        </div>
      )}
      <p class="soft small">
        Calibration error: difference between confidence and accuracy on audited items. 0 is best.
      </p>
    </Card>
  );
}

function share(value: number | null): string {
  return value === null ? "–" : percent(value, 1);
}
