import type { TaskDetail } from "../../api";
import { Chart } from "../../charts";
import { Meter } from "../../ui";
import { formatProbability, pathLines, rankClasses } from "./posterior-path";

const MOST_SHOWN = 8;
const LIKELY = 0.005;

/** The probability of each class, with and without the votes. */
export function Posterior({ task }: { task: TaskDetail }) {
  if (!task.posterior) return <p class="soft">No probabilities yet: no model has been trained.</p>;
  const all = rankClasses(task.posterior);
  const shown = all.filter(([, share], index) => index < 2 || (index < MOST_SHOWN && share >= LIKELY));
  const left = all.length - shown.length;
  const alone = task.machine && task.path[0]?.posterior;
  return (
    <table class="belief">
      <caption class="unseen">Class probabilities</caption>
      <thead>
        <tr>
          <th>Class</th>
          <th class="number" colSpan={2}>
            Probability
          </th>
          {alone && <th class="number">Without votes</th>}
        </tr>
      </thead>
      <tbody>
        {shown.map(([name, share]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="wide">
              <Meter share={share} />
            </td>
            <td class="number">{formatProbability(share)}</td>
            {alone && <td class="number soft">{formatProbability(alone[name] ?? 0)}</td>}
          </tr>
        ))}
        {left > 0 && (
          <tr>
            <td class="soft" colSpan={4}>
              and {left} less probable
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** The probability of each class after each vote. */
export function PosteriorPath({ task }: { task: TaskDetail }) {
  if (task.path.length < 2) return null;
  return (
    <div class="stack">
      <h3>Probability after each vote</h3>
      <Chart
        label={`Class probabilities after each vote on ${task.question}`}
        xName="Votes"
        x={task.path.map((_, i) => i)}
        lines={pathLines(task.path)}
        height={200}
        showX={(vote) => (Number.isInteger(vote) ? String(vote) : "")}
        showY={(share) => (share <= 1 ? formatProbability(share) : "")}
      />
      <p class="small soft">
        {task.machine ? "At 0 votes: the calibrated classifier. " : "At 0 votes: the class frequencies. "}
        Computed with the current model.
      </p>
    </div>
  );
}
