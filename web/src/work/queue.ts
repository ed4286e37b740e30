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

const FINAL_REASONS: Record<Final, string> = {
  practice: "Practice answers cannot be changed.",
  revealed: "The other votes were shown, so this answer can no longer be changed.",
};

/** An answer of this page that may be taken back. vote: its number at the service, once that is known. */
export interface GivenAnswer {
  lease: Lease;
  key: string;
  label: string | null;
  said: Said;
  at: number;
  vote: number | null;
  final: Final | null;
  before: GivenAnswer | null;
}

/** An item to be answered. again: the answer that was taken back. */
export interface InHand {
  lease: Lease;
  again: GivenAnswer | null;
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
  given: GivenAnswer[];
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
const MAX_UNDO = 50;

/** What the service says is in hand. What was answered meanwhile stays away; what it left out is somebody else's. */
export function take(queue: Queue, leases: Lease[], first: number | null = null): Queue {
  const listed = new Map(leases.filter((lease) => !queue.gone.has(lease.lease)).map((lease) => [lease.lease, lease]));
  const kept = queue.hand.filter((entry) => entry.again !== null || listed.has(entry.lease.lease));
  const keptLeases = new Set(kept.map((entry) => entry.lease.lease));
  const fresh = [...listed.values()]
    .filter((lease) => !keptLeases.has(lease.lease))
    .map((lease) => ({ lease, again: null }));
  const hand = groupByItem([...kept, ...fresh]);
  if (first === null) return { ...queue, hand };
  const same = hand.filter((entry) => entry.again === null && entry.lease.item.id === first);
  return { ...queue, hand: [...same, ...hand.filter((entry) => !same.includes(entry))] };
}

/** All that is asked of an item comes one after the other. */
function groupByItem(hand: InHand[]): InHand[] {
  const items = [...new Set(hand.map((entry) => entry.lease.item.id))];
  return items.flatMap((item) => hand.filter((entry) => entry.lease.item.id === item));
}

/** Answer an item in hand. The same answer as before it was taken back changes nothing. */
export function answer(queue: Queue, lease: number, answer: NewAnswer): Queue {
  const current = queue.hand.find((entry) => entry.lease.lease === lease);
  if (!current) return queue;
  const hand = queue.hand.filter((entry) => entry !== current);
  const { again } = current;
  if (again && again.label === answer.label && again.said === answer.said)
    return { ...queue, hand, given: [...queue.given, again] };
  const { key, label, said: kind, seconds, at } = answer;
  const amended = again && { amends: again.key, vote: again.vote };
  const paid = kind === "vote" && !current.lease.practice && !(again && paidAnswer(again));
  const sent = { key, lease, label, said: kind, seconds, at, tries: 0, paid };
  const out: Outgoing = { ...sent, ...(amended ?? { amends: null, vote: null }) };
  const newAnswer: GivenAnswer = {
    lease: current.lease,
    key,
    label,
    said: kind,
    at,
    vote: null,
    final: answer.hold === "practice" ? "practice" : null,
    before: again,
  };
  const held: Held | null = answer.hold
    ? { lease: current.lease, key, label, said: kind, why: answer.hold, right: null }
    : null;
  return {
    hand,
    outbox: [...queue.outbox, out],
    given: [...queue.given, newAnswer].slice(-MAX_UNDO),
    held,
    gone: new Set(queue.gone).add(lease),
  };
}

/** Why the last answer cannot be taken back; null where it can, "" where there is none. */
export function noUndo(queue: Queue, now: number, seconds: number): string | null {
  const last = queue.given.at(-1);
  if (!last) return "";
  if (last.final) return FINAL_REASONS[last.final];
  if (isUnsent(queue, last.key)) return null;
  return (now - originalAnswer(last).at) / 1000 > seconds ? "The time to change this answer is over." : null;
}

/** Show the last answered item again. Was its answer not sent, it is as if never given; else the new one replaces it. */
export function undo(queue: Queue): Queue {
  const last = queue.given.at(-1);
  if (!last) return queue;
  const earlier = queue.given.slice(0, -1);
  const held = queue.held?.key === last.key ? null : queue.held;
  if (!isUnsent(queue, last.key))
    return { ...queue, given: earlier, held, hand: [{ lease: last.lease, again: last }, ...queue.hand] };
  const outbox = queue.outbox.filter((outgoing) => outgoing.key !== last.key);
  const gone = new Set(queue.gone);
  if (!last.before) gone.delete(last.lease.lease);
  return { hand: [{ lease: last.lease, again: last.before }, ...queue.hand], outbox, given: earlier, held, gone };
}

/** These go out now: from here on the service may know them, whatever comes back. */
export function markSending(queue: Queue, keys: string[]): Queue {
  const outbox = queue.outbox.map((outgoing) =>
    keys.includes(outgoing.key) ? { ...outgoing, tries: outgoing.tries + 1 } : outgoing,
  );
  return { ...queue, outbox };
}

/** What became of answers. One that came too late is forgotten, with what would have changed it. */
export function settle(queue: Queue, results: VoteTaken[]): Queue {
  return results.reduce(settleResult, queue);
}

function settleResult(queue: Queue, { key, outcome, vote, right }: VoteTaken): Queue {
  const late = outcome === "late" || vote === null;
  const outbox = queue.outbox
    .filter((outgoing) => outgoing.key !== key && !(late && outgoing.amends === key))
    .map((outgoing) => (outgoing.amends === key ? { ...outgoing, vote } : outgoing));
  const withResult = (answer: GivenAnswer): GivenAnswer =>
    answer.key === key ? { ...answer, vote, final: answer.final ?? (right === null ? null : "practice") } : answer;
  const answers = queue.given.filter((answer) => !(late && answer.key === key)).map(withResult);
  const hand = queue.hand
    .filter((entry) => !(late && entry.again?.key === key))
    .map((entry) => (entry.again ? { ...entry, again: withResult(entry.again) } : entry));
  return { ...queue, outbox, given: answers, hand, held: settleHeld(queue.held, key, right) };
}

/** What others said of an audited task was shown: its answer is final, also where it was just taken back. */
export function reveal(queue: Queue, task: number): Queue {
  const isTask = (entry: { lease: Lease }) => entry.lease.task === task;
  const final = (answer: GivenAnswer): GivenAnswer => (isTask(answer) ? { ...answer, final: "revealed" } : answer);
  const takenBack = queue.hand.flatMap((entry) => (entry.again && isTask(entry) ? [final(entry.again)] : []));
  const hand = queue.hand.filter((entry) => !(entry.again && isTask(entry)));
  return { ...queue, hand, given: [...queue.given.map(final), ...takenBack] };
}

/** Feedback stays until it is read; an item without any makes way for what comes next. */
function settleHeld(held: Held | null, key: string, right: string | null): Held | null {
  if (held?.key !== key) return held;
  return held.why === "practice" && right !== null ? { ...held, right } : null;
}

/** Somebody else, such as another tab of the same voter, has answered these. */
export function removeLeases(queue: Queue, leases: number[]): Queue {
  const gone = new Set([...queue.gone, ...leases]);
  return { ...queue, gone, hand: queue.hand.filter((entry) => entry.again !== null || !gone.has(entry.lease.lease)) };
}

/** Answers that a page left behind when it ended. */
export function adopt(queue: Queue, left: Outgoing[]): Queue {
  const keys = new Set(queue.outbox.map((outgoing) => outgoing.key));
  const fresh = left.filter((outgoing) => !keys.has(outgoing.key));
  return {
    ...removeLeases(
      queue,
      fresh.map((outgoing) => outgoing.lease),
    ),
    outbox: [...queue.outbox, ...fresh],
  };
}

/** Go on without waiting for what was held in view. */
export function releaseHeld(queue: Queue): Queue {
  return { ...queue, held: null };
}

/** What else in hand is asked of an item. */
export function otherLeases(queue: Queue, item: number): number[] {
  return queue.hand
    .filter((entry) => entry.again === null && entry.lease.item.id === item)
    .map((entry) => entry.lease.lease);
}

function isUnsent(queue: Queue, key: string): boolean {
  return queue.outbox.some((outgoing) => outgoing.key === key && outgoing.tries === 0);
}

/** What was paid of an answer and its changes: the first that names a class. */
export function paidAnswer(answer: GivenAnswer): GivenAnswer | null {
  const before = answer.before && paidAnswer(answer.before);
  return before ?? (answer.said === "vote" ? answer : null);
}

/** What was said at first, before any change. */
function originalAnswer(answer: GivenAnswer): GivenAnswer {
  return answer.before ? originalAnswer(answer.before) : answer;
}
