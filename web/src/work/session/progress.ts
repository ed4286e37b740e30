/** The progress of a voter, by the results of the answers. */
import type { VoteTaken } from "../../api/types";
import { type Held, type Outgoing, paidAnswer, type Queue } from "./queue";

export interface Practice {
  left: number;
  done: number;
  right: number;
  /** Unsure and skipped answers are neither right nor wrong. */
  wrong: number;
}

/** Returns the practice after an answer: skipped items count as practised, because their answer is shown. */
export function practiceAfter(practice: Practice, held: Held | null, results: VoteTaken[]): Practice {
  const result = held?.why === "practice" ? results.find((result) => result.key === held.key) : undefined;
  if (!held || !result || result.outcome === "late") return practice;
  const isRight = result.right !== null && result.right === held.label;
  return {
    left: Math.max(0, practice.left - 1),
    done: practice.done + 1,
    right: practice.right + Number(isRight),
    wrong: practice.wrong + Number(held.said === "vote" && !isRight),
  };
}

/** Returns the number of paid answers. */
export function countPaid(results: VoteTaken[], outbox: Outgoing[]): number {
  const counts = new Set(results.filter((result) => result.outcome !== "late").map((result) => result.key));
  return outbox.filter((outgoing) => outgoing.paid && counts.has(outgoing.key)).length;
}

/** Returns the number of counted answers that are undone and not given again yet. */
export function countTakenBack({ hand, outbox }: Queue): number {
  const paid = hand.map(({ again }) => again && paidAnswer(again));
  return paid.filter((answer) => answer && !outbox.some(({ key }) => key === answer.key)).length;
}
