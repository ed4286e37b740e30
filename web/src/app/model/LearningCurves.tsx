import type { Models } from "../../api";
import { Chart } from "../../charts";
import { Card } from "../../ui";
import { count, percent } from "../../ui/format";
import { learningCurve } from "./metrics";

/** Accuracy and log loss of the classifier by number of votes. */
export function LearningCurves({ models, at }: { models: Models; at: string }) {
  const curve = learningCurve(models.versions);
  if (curve.votes.length === 0)
    return (
      <Card title="Learning curve">
        <p class="soft">
          No classifier has been trained: people decide every item. Choose a classifier in the{" "}
          <a href={`${at}/settings`}>settings</a>. Training starts when there are votes on at least two classes.
        </p>
      </Card>
    );
  if (curve.votes.length === 1)
    return (
      <Card title="Learning curve">
        <p class="soft">The curve appears after the second training round.</p>
      </Card>
    );
  return (
    <div class="two">
      <Card title="Learning curve">
        <p class="soft">
          Agreement of the classifier with people. While the line rises, more votes improve the classifier.
        </p>
        <Chart
          label="Classifier accuracy by number of training votes"
          xName="Votes"
          x={curve.votes}
          lines={[{ name: "Accuracy", tone: "var(--machine)", values: curve.accuracy }]}
          showX={count}
          showY={(share) => (share <= 1 ? percent(share) : "")}
        />
      </Card>
      <Card title="Log loss">
        <p class="soft">How far the predicted probabilities are from the answers of people. Lower is better.</p>
        <Chart
          label="Classifier log loss by number of training votes"
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
