import { expect, it } from "vitest";
import { learningCurve, metric, trainedOn } from "./metrics";

const version = (n: number, metrics: Record<string, unknown>) => ({
  version: n,
  created_at: n,
  n_votes: 10 * n,
  machine: "linear",
  metrics,
});

it("starts the learning curve at the oldest version, one per number of votes, without versions that lack a classifier", () => {
  const versions = [
    version(3, { learner_accuracy: 0.9, learner_log_loss: 0.3 }),
    { ...version(3, { learner_accuracy: 0.7 }), version: 2.5 },
    version(2, { learner_accuracy: 0.8 }),
    version(1, {}),
  ];
  expect(learningCurve(versions)).toEqual({ votes: [20, 30], accuracy: [0.8, 0.9], loss: [null, 0.3] });
});
it("says what a version was trained on", () => {
  expect([trainedOn(version(1, { n_gold: 2 })), trainedOn(version(1, {}))]).toEqual([
    "10 votes and 2 gold labels",
    "10 votes",
  ]);
});
it("takes only numbers as numbers", () => {
  expect([metric(version(1, { a: "1" }), "a"), metric(version(1, { a: 0 }), "a"), metric(undefined, "a")]).toEqual([
    null,
    0,
    null,
  ]);
});
