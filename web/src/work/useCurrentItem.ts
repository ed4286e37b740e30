import { useEffect, useRef } from "preact/hooks";
import type { Lease, Question, Visit, VoterResponse } from "../api/types";
import { type Action, actionKeys, classKeys } from "./keys";
import type { GivenAnswer } from "./session/queue";
import { Stopwatch } from "./session/timing";
import type { VoterSession } from "./session/voter-session";

/** The current item. busy: it is answered and stays in view. again: its undone answer. */
export interface CurrentItem {
  lease: Lease;
  again: GivenAnswer | null;
  busy: boolean;
  question: Question;
  keys: (string | null)[];
  actionKeys: Record<Action, string | null>;
  /** Images that can be answered together with this one. */
  images: Lease[];
  last: GivenAnswer | undefined;
  give: (label: string | null, kind: VoterResponse) => void;
  giveAll: (answers: [lease: Lease, label: string][]) => void;
}

export function useCurrentItem(visit: Visit, session: VoterSession): CurrentItem {
  const { hand, held, given: answers } = session.view.queue;
  const shown = held ? { lease: held.lease, again: null } : hand[0];
  if (!shown) throw new Error("there is nothing to show");
  const { lease, again } = shown;
  const question = questionOf(visit, lease);
  const keys = classKeys(question.classes);
  const watch = useStopwatch(lease.lease);
  const alike = hand
    .filter((entry) => entry.again === null && entry.lease.question === lease.question)
    .map((entry) => entry.lease);
  return {
    lease,
    again,
    busy: held !== null,
    question,
    keys,
    actionKeys: actionKeys(keys),
    images: alike.filter((lease) => lease.item.kind === "image"),
    last: answers.at(-1),
    give: (label, kind) => {
      if (!held) session.answer(lease, label, kind, watch.seconds);
    },
    giveAll: (answers) => {
      const secondsPerItem = Math.round((100 * watch.seconds) / answers.length) / 100;
      for (const [image, label] of answers) session.answer(image, label, "vote", secondsPerItem);
    },
  };
}

function questionOf(visit: Visit, lease: Lease): Question {
  return visit.questions.find((question) => question.name === lease.question) ?? (visit.questions[0] as Question);
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
