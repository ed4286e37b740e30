/** What the voter's page shows. */
import type { Problem } from "../../api/call";
import type { Visit } from "../../api/types";
import { countTakenBack, type Practice } from "./progress";
import { EMPTY, type Queue } from "./queue";

export interface View {
  queue: Queue;
  phase: "loading" | "work" | "wait" | "done" | "failed" | "ended";
  problem: Problem | null;
  connected: boolean;
  votes: number;
  earned: number;
  practice: Practice;
  /** Median seconds per answer. */
  seconds: number | null;
  /** When the shown item is reassigned, in milliseconds since 1970. */
  until: number | null;
  message: string;
}

export function initialView({ progress }: Visit): View {
  return {
    queue: EMPTY,
    phase: "loading",
    problem: null,
    connected: true,
    votes: progress.votes,
    earned: progress.earned,
    practice: { left: progress.practice_left, done: progress.practised, right: 0, wrong: 0 },
    seconds: null,
    until: null,
    message: "",
  };
}

/** Returns the view without answers that are being changed: they count again once they are given. */
export function excludeTakenBack(view: View, price: number): View {
  const back = countTakenBack(view.queue);
  return { ...view, votes: view.votes - back, earned: view.earned - back * price };
}
