import type { Models } from "../../api";
import { plural } from "../overview/steps";

type Version = Models["versions"][number];

/** A number that a version was measured by; none where it was not. */
export function metric(version: Version | undefined, name: string): number | null {
  const value = version?.metrics[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** What a version was learnt from: experts' votes count as labels that are known. */
export function trainedOn({ n_votes, metrics }: Pick<Version, "n_votes" | "metrics">): string {
  const gold = typeof metrics.n_gold === "number" ? metrics.n_gold : 0;
  return gold ? `${plural(n_votes, "vote")} and ${plural(gold, "gold label")}` : plural(n_votes, "vote");
}

export interface Curve {
  votes: number[];
  accuracy: (number | null)[];
  loss: (number | null)[];
}

/** How the machine got on with more votes, oldest first. versions: newest first, as the service tells them. */
export function learningCurve(versions: Version[]): Curve {
  const measured = versions.filter((version) => metric(version, "learner_accuracy") !== null).reverse();
  const taught = measured.filter((version, index) => version.n_votes !== measured[index + 1]?.n_votes); // the last of each
  return {
    votes: taught.map((version) => version.n_votes),
    accuracy: taught.map((version) => metric(version, "learner_accuracy")),
    loss: taught.map((version) => metric(version, "learner_log_loss")),
  };
}
