/** How far a voter has come, by what became of the answers. */
import type { VoteTaken } from "../api/types";
import { type Held, type Outgoing, paidOf, type Queue } from "./queue";

export interface Practice {
  left: number;
  done: number;
  right: number;
  /** Who was unsure, or skipped an item, was neither right nor wrong. */
  wrong: number;
}

/** Practice after an answer: also who skips an item is shown its right answer, and has practised. */
export function practised(practice: Practice, held: Held | null, results: VoteTaken[]): Practice {
  const tried = held?.why === "practice" ? results.find((one) => one.key === held.key) : undefined;
  if (!held || !tried || tried.outcome === "late") return practice;
  const isRight = tried.right !== null && tried.right === held.label;
  return {
    left: Math.max(0, practice.left - 1),
    done: practice.done + 1,
    right: practice.right + Number(isRight),
    wrong: practice.wrong + Number(held.said === "vote" && !isRight),
  };
}

/** How many of these answers are paid. */
export function paidAmong(results: VoteTaken[], outbox: Outgoing[]): number {
  const counts = new Set(results.filter((one) => one.outcome !== "late").map((one) => one.key));
  return outbox.filter((one) => one.paid && counts.has(one.key)).length;
}

/** How many answers that were counted are taken back, and not given anew yet. */
export function takenBack({ hand, outbox }: Queue): number {
  const paid = hand.map(({ again }) => again && paidOf(again));
  return paid.filter((one) => one && !outbox.some(({ key }) => key === one.key)).length;
}
