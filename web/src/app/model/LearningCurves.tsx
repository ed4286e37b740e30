import type { Models } from "../../api";
import { Chart } from "../../charts";
import { Card } from "../../ui";
import { count, percent } from "../../ui/format";
import { learningCurve } from "./metrics";

/** Whether the machine still gets better with more votes. */
export function LearningCurves({ models, at }: { models: Models; at: string }) {
  const curve = learningCurve(models.versions);
  if (curve.votes.length === 0)
    return (
      <Card title="Learning curve">
        <p class="soft">
          No machine has learnt here: people alone decide. Which machine learns is a matter of the{" "}
          <a href={`${at}/settings`}>settings</a>; it needs some votes on different classes to begin with.
        </p>
      </Card>
    );
  if (curve.votes.length === 1)
    return (
      <Card title="Learning curve">
        <p class="soft">One lesson so far: the curve begins with the second.</p>
      </Card>
    );
  return (
    <div class="two">
      <Card title="Learning curve">
        <p class="soft">How often the machine agrees with people: while the line rises, more votes make it better.</p>
        <Chart
          label="The machine's agreement with people against the number of votes it learnt from"
          xName="Votes"
          x={curve.votes}
          lines={[{ name: "Agrees with people", tone: "var(--machine)", values: curve.accuracy }]}
          showX={count}
          showY={(share) => (share <= 1 ? percent(share) : "")}
        />
      </Card>
      <Card title="Surprise">
        <p class="soft">How surprised the machine is by what people say (log loss): it should fall, to 0 at best.</p>
        <Chart
          label="The machine's log loss against the number of votes it learnt from"
          xName="Votes"
          x={curve.votes}
          lines={[{ name: "Log loss", tone: "var(--expert)", values: curve.loss }]}
          showX={count}
          showY={(loss) => loss.toFixed(2)}
        />
      </Card>
    </div>
  );
}
