/** How far a voter has come, by what became of the answers. */
import type { VoteTaken } from "../api/types";
import { type Held, type Outgoing, paidAnswer, type Queue } from "./queue";

export interface Practice {
  left: number;
  done: number;
  right: number;
  /** Who was unsure, or skipped an item, was neither right nor wrong. */
  wrong: number;
}

/** Practice after an answer: also who skips an item is shown its right answer, and has practised. */
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

/** How many of these answers are paid. */
export function countPaid(results: VoteTaken[], outbox: Outgoing[]): number {
  const counts = new Set(results.filter((result) => result.outcome !== "late").map((result) => result.key));
  return outbox.filter((outgoing) => outgoing.paid && counts.has(outgoing.key)).length;
}

/** How many answers that were counted are taken back, and not given anew yet. */
export function countTakenBack({ hand, outbox }: Queue): number {
  const paid = hand.map(({ again }) => again && paidAnswer(again));
  return paid.filter((answer) => answer && !outbox.some(({ key }) => key === answer.key)).length;
}
