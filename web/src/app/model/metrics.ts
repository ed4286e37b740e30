import type { Models } from "../../api";
import { plural } from "../overview/steps";

type Version = Models["versions"][number];

/** Returns a metric of a version; null if it was not measured. */
export function metric(version: Version | undefined, name: string): number | null {
  const value = version?.metrics[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Describes the training data of a version: expert votes count as gold labels. */
export function trainedOn({ n_votes, metrics }: Pick<Version, "n_votes" | "metrics">): string {
  const gold = typeof metrics.n_gold === "number" ? metrics.n_gold : 0;
  return gold ? `${plural(n_votes, "vote")} and ${plural(gold, "gold label")}` : plural(n_votes, "vote");
}

export interface Curve {
  votes: number[];
  accuracy: (number | null)[];
  loss: (number | null)[];
}

/** Returns the learning curve, oldest first. versions: newest first, as the service returns them. */
export function learningCurve(versions: Version[]): Curve {
  const measured = versions.filter((version) => metric(version, "learner_accuracy") !== null).reverse();
  const taught = measured.filter((version, index) => version.n_votes !== measured[index + 1]?.n_votes); // the last version with as many votes
  return {
    votes: taught.map((version) => version.n_votes),
    accuracy: taught.map((version) => metric(version, "learner_accuracy")),
    loss: taught.map((version) => metric(version, "learner_log_loss")),
  };
}
