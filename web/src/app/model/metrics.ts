import type { Models } from "../../api";
import { things } from "../overview/steps";

type Version = Models["versions"][number];

/** A number that a version was measured by; none where it was not. */
export function metric(version: Version | undefined, name: string): number | null {
  const value = version?.metrics[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** What a version was learnt from: experts' votes count as labels that are known. */
export function learntFrom({ n_votes, metrics }: Pick<Version, "n_votes" | "metrics">): string {
  const known = typeof metrics.n_gold === "number" ? metrics.n_gold : 0;
  return known ? `${things(n_votes, "vote")} and ${things(known, "known label")}` : things(n_votes, "vote");
}

export interface Curve {
  votes: number[];
  accuracy: (number | null)[];
  loss: (number | null)[];
}

/** How the machine got on with more votes, oldest first. versions: newest first, as the service tells them. */
export function curveOf(versions: Version[]): Curve {
  const known = versions.filter((one) => metric(one, "learner_accuracy") !== null).reverse();
  const taught = known.filter((one, place) => one.n_votes !== known[place + 1]?.n_votes); // the last of each
  return {
    votes: taught.map((one) => one.n_votes),
    accuracy: taught.map((one) => metric(one, "learner_accuracy")),
    loss: taught.map((one) => metric(one, "learner_log_loss")),
  };
}
