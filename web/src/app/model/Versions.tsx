import { useState } from "preact/hooks";
import type { Models } from "../../api";
import { Button, Card, Scroller } from "../../ui";
import { count, moment, percent } from "../../ui/format";
import { metric } from "./metrics";

const FIRST_ROWS = 10;

/** Every lesson: when, from how many votes, and how good it was. */
export function Versions({ models }: { models: Models }) {
  const [all, setAll] = useState(false);
  const shown = all ? models.versions : models.versions.slice(0, FIRST_ROWS);
  return (
    <Card title="Versions">
      <Scroller label="Versions of the model">
        <table class="table">
          <thead>
            <tr>
              <th class="number">Version</th>
              <th>When</th>
              <th class="number">Votes</th>
              <th>Machine</th>
              <th class="number">Agrees with people</th>
              <th class="number">Decides alone</th>
              <th class="number">Calibration error</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((version) => (
              <tr key={version.version}>
                <td class="number">{version.version}</td>
                <td>{moment(version.created_at)}</td>
                <td class="number">{count(version.n_votes)}</td>
                <td>{version.machine ? "Taught" : "None: people alone"}</td>
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
        Calibration error: how far what it says of its own sureness is off, on items that experts looked at; 0 is best.
      </p>
    </Card>
  );
}

function share(value: number | null): string {
  return value === null ? "–" : percent(value, 1);
}
