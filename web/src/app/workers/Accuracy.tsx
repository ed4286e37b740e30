import type { Worker } from "../../api";
import { Interval } from "../../charts";
import { percent } from "../../ui/format";

/** The accuracy of a worker on gold checks with its confidence interval. */
export function Accuracy({ worker }: { worker: Worker }) {
  const { accuracy, low, high, right, checks } = worker;
  if (accuracy === null) return <span class="soft">No gold checks yet</span>;
  const band = { value: accuracy, low: low ?? accuracy, high: high ?? accuracy };
  const between = `likely between ${percent(band.low)} and ${percent(band.high)}`;
  return (
    <span class="accuracy">
      <Interval band={band} most={1} tone="var(--crowd)" label={`${percent(accuracy)}, ${between}`} />
      <span class="small">
        {percent(accuracy)}{" "}
        <span class="soft">
          ({right} of {checks})
        </span>
      </span>
    </span>
  );
}
