/** What a voter has in hand, has answered, and what is still to be sent. Plain data: every change makes a new queue. */
import type { Lease, Said, VoteTaken } from "../api/types";

/**
 * An answer on its way to the service. amends: the key of the answer whose place it takes, `vote` its number there.
 * paid: it is the first of its item that names a class, and no practice.
 */
export interface Outgoing {
  key: string;
  lease: number;
  label: string | null;
  said: Said;
  seconds: number;
  at: number;
  tries: number;
  paid: boolean;
  amends: string | null;
  vote: number | null;
}

/** Why an answer stays as it is: the right one, or what others said, was shown. */
export type Final = "practice" | "revealed";

const WHY_FINAL: Record<Final, string> = {
  practice: "Practice answers stay as they are.",
  revealed: "What others said was shown: that answer stays as it is.",
};

/** An answer of this page that may be taken back. vote: its number at the service, once that is known. */
export interface Given {
  lease: Lease;
  key: string;
  label: string | null;
  said: Said;
  at: number;
  vote: number | null;
  final: Final | null;
  before: Given | null;
}

/** An item to be answered. again: the answer that was taken back. */
export interface InHand {
  lease: Lease;
  again: Given | null;
}

/** An item that stays in view after its answer: until its next criterion is known, or for feedback. */
export interface Held {
  lease: Lease;
  key: string;
  label: string | null;
  said: Said;
  why: "turn" | "practice";
  right: string | null;
}

export interface Queue {
  hand: InHand[];
  outbox: Outgoing[];
  given: Given[];
  held: Held | null;
  gone: ReadonlySet<number>;
}

export interface NewAnswer {
  key: string;
  label: string | null;
  said: Said;
  seconds: number;
  at: number;
  hold?: Held["why"] | undefined;
}

export const EMPTY: Queue = { hand: [], outbox: [], given: [], held: null, gone: new Set() };
const MOST_UNDONE = 50;

/** What the service says is in hand. What was answered meanwhile stays away; what it left out is somebody else's. */
export function take(queue: Queue, leases: Lease[], first: number | null = null): Queue {
  const listed = new Map(leases.filter((one) => !queue.gone.has(one.lease)).map((one) => [one.lease, one]));
  const kept = queue.hand.filter((one) => one.again !== null || listed.has(one.lease.lease));
  const known = new Set(kept.map((one) => one.lease.lease));
  const fresh = [...listed.values()].filter((one) => !known.has(one.lease)).map((lease) => ({ lease, again: null }));
  const hand = together([...kept, ...fresh]);
  if (first === null) return { ...queue, hand };
  const same = hand.filter((one) => one.again === null && one.lease.item.id === first);
  return { ...queue, hand: [...same, ...hand.filter((one) => !same.includes(one))] };
}

/** All that is asked of an item comes one after the other. */
function together(hand: InHand[]): InHand[] {
  const items = [...new Set(hand.map((one) => one.lease.item.id))];
  return items.flatMap((item) => hand.filter((one) => one.lease.item.id === item));
}

/** Answer an item in hand. The same answer as before it was taken back changes nothing. */
export function answer(queue: Queue, lease: number, made: NewAnswer): Queue {
  const found = queue.hand.find((one) => one.lease.lease === lease);
  if (!found) return queue;
  const hand = queue.hand.filter((one) => one !== found);
  const { again } = found;
  if (again && again.label === made.label && again.said === made.said)
    return { ...queue, hand, given: [...queue.given, again] };
  const { key, label, said, seconds, at } = made;
  const latest = again && { amends: again.key, vote: again.vote };
  const paid = said === "vote" && !found.lease.practice && !(again && paidOf(again));
  const sent = { key, lease, label, said, seconds, at, tries: 0, paid };
  const out: Outgoing = { ...sent, ...(latest ?? { amends: null, vote: null }) };
  const given: Given = {
    lease: found.lease,
    key,
    label,
    said,
    at,
    vote: null,
    final: made.hold === "practice" ? "practice" : null,
    before: again,
  };
  const held: Held | null = made.hold ? { lease: found.lease, key, label, said, why: made.hold, right: null } : null;
  return {
    hand,
    outbox: [...queue.outbox, out],
    given: [...queue.given, given].slice(-MOST_UNDONE),
    held,
    gone: new Set(queue.gone).add(lease),
  };
}

/** Why the last answer cannot be taken back; null where it can, "" where there is none. */
export function noUndo(queue: Queue, now: number, seconds: number): string | null {
  const last = queue.given.at(-1);
  if (!last) return "";
  if (last.final) return WHY_FINAL[last.final];
  if (isUnsent(queue, last.key)) return null;
  return (now - firstOf(last).at) / 1000 > seconds ? "That answer is too old to change." : null;
}

/** Show the last answered item again. Was its answer not sent, it is as if never given; else the new one replaces it. */
export function undo(queue: Queue): Queue {
  const last = queue.given.at(-1);
  if (!last) return queue;
  const given = queue.given.slice(0, -1);
  const held = queue.held?.key === last.key ? null : queue.held;
  if (!isUnsent(queue, last.key))
    return { ...queue, given, held, hand: [{ lease: last.lease, again: last }, ...queue.hand] };
  const outbox = queue.outbox.filter((one) => one.key !== last.key);
  const gone = new Set(queue.gone);
  if (!last.before) gone.delete(last.lease.lease);
  return { hand: [{ lease: last.lease, again: last.before }, ...queue.hand], outbox, given, held, gone };
}

/** These go out now: from here on the service may know them, whatever comes back. */
export function sending(queue: Queue, keys: string[]): Queue {
  const outbox = queue.outbox.map((one) => (keys.includes(one.key) ? { ...one, tries: one.tries + 1 } : one));
  return { ...queue, outbox };
}

/** What became of answers. One that came too late is forgotten, with what would have changed it. */
export function settled(queue: Queue, results: VoteTaken[]): Queue {
  return results.reduce(settleOne, queue);
}

function settleOne(queue: Queue, { key, outcome, vote, right }: VoteTaken): Queue {
  const late = outcome === "late" || vote === null;
  const outbox = queue.outbox
    .filter((one) => one.key !== key && !(late && one.amends === key))
    .map((one) => (one.amends === key ? { ...one, vote } : one));
  const knows = (one: Given): Given =>
    one.key === key ? { ...one, vote, final: one.final ?? (right === null ? null : "practice") } : one;
  const given = queue.given.filter((one) => !(late && one.key === key)).map(knows);
  const hand = queue.hand
    .filter((one) => !(late && one.again?.key === key))
    .map((one) => (one.again ? { ...one, again: knows(one.again) } : one));
  return { ...queue, outbox, given, hand, held: settleHeld(queue.held, key, right) };
}

/** What others said of an audited task was shown: its answer is final, also where it was just taken back. */
export function reveal(queue: Queue, task: number): Queue {
  const isIt = (one: { lease: Lease }) => one.lease.task === task;
  const final = (one: Given): Given => (isIt(one) ? { ...one, final: "revealed" } : one);
  const back = queue.hand.flatMap((one) => (one.again && isIt(one) ? [final(one.again)] : []));
  const hand = queue.hand.filter((one) => !(one.again && isIt(one)));
  return { ...queue, hand, given: [...queue.given.map(final), ...back] };
}

/** Feedback stays until it is read; an item without any makes way for what comes next. */
function settleHeld(held: Held | null, key: string, right: string | null): Held | null {
  if (held?.key !== key) return held;
  return held.why === "practice" && right !== null ? { ...held, right } : null;
}

/** Somebody else, such as another tab of the same voter, has answered these. */
export function elsewhere(queue: Queue, leases: number[]): Queue {
  const gone = new Set([...queue.gone, ...leases]);
  return { ...queue, gone, hand: queue.hand.filter((one) => one.again !== null || !gone.has(one.lease.lease)) };
}

/** Answers that a page left behind when it ended. */
export function adopt(queue: Queue, left: Outgoing[]): Queue {
  const known = new Set(queue.outbox.map((one) => one.key));
  const fresh = left.filter((one) => !known.has(one.key));
  return {
    ...elsewhere(
      queue,
      fresh.map((one) => one.lease),
    ),
    outbox: [...queue.outbox, ...fresh],
  };
}

/** Go on without waiting for what was held in view. */
export function letGo(queue: Queue): Queue {
  return { ...queue, held: null };
}

/** What else in hand is asked of an item. */
export function besides(queue: Queue, item: number): number[] {
  return queue.hand.filter((one) => one.again === null && one.lease.item.id === item).map((one) => one.lease.lease);
}

function isUnsent(queue: Queue, key: string): boolean {
  return queue.outbox.some((one) => one.key === key && one.tries === 0);
}

/** What was paid of an answer and its changes: the first that names a class. */
export function paidOf(given: Given): Given | null {
  const before = given.before && paidOf(given.before);
  return before ?? (given.said === "vote" ? given : null);
}

/** What was said at first, before any change. */
function firstOf(given: Given): Given {
  return given.before ? firstOf(given.before) : given;
}
