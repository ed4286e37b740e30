import { useEffect, useRef } from "preact/hooks";
import type { Lease, Question, Said, Visit } from "../api/types";
import { type Action, actionKeys, classKeys } from "./keys";
import type { Given } from "./queue";
import { Stopwatch } from "./timing";
import type { Desk } from "./voter-session";

/** What is asked now. busy: it is answered, and stays in view. again: its answer, which was taken back. */
export interface Turn {
  lease: Lease;
  again: Given | null;
  busy: boolean;
  question: Question;
  keys: (string | null)[];
  own: Record<Action, string | null>;
  /** Images that can be answered together with this one. */
  images: Lease[];
  last: Given | undefined;
  give: (label: string | null, said: Said) => void;
  giveAll: (answers: [lease: Lease, label: string][]) => void;
}

export function useTurn(visit: Visit, desk: Desk): Turn {
  const { hand, held, given } = desk.view.queue;
  const shown = held ? { lease: held.lease, again: null } : hand[0];
  if (!shown) throw new Error("there is nothing to show");
  const { lease, again } = shown;
  const question = questionOf(visit, lease);
  const keys = classKeys(question.classes);
  const watch = useStopwatch(lease.lease);
  const alike = hand
    .filter((one) => one.again === null && one.lease.question === lease.question)
    .map((one) => one.lease);
  return {
    lease,
    again,
    busy: held !== null,
    question,
    keys,
    own: actionKeys(keys),
    images: alike.filter((one) => one.item.kind === "image"),
    last: given.at(-1),
    give: (label, said) => {
      if (!held) desk.answer(lease, label, said, watch.seconds);
    },
    giveAll: (answers) => {
      const each = Math.round((100 * watch.seconds) / answers.length) / 100;
      for (const [one, label] of answers) desk.answer(one, label, "vote", each);
    },
  };
}

function questionOf(visit: Visit, lease: Lease): Question {
  return visit.questions.find((one) => one.name === lease.question) ?? (visit.questions[0] as Question);
}

/** Runs while the item is in view. */
function useStopwatch(lease: number): Stopwatch {
  const watch = useRef<Stopwatch | null>(null);
  watch.current ??= new Stopwatch(() => performance.now());
  const { current } = watch;
  useEffect(() => current.restart(), [lease]);
  useEffect(() => {
    const seen = () => (document.visibilityState === "visible" ? current.resume() : current.pause());
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, [current]);
  return current;
}
