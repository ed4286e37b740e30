/** Leased items, given answers and unsent answers of a voter. Plain data: every change returns a new queue. */
import type { Lease, VoterResponse, VoteTaken } from "../../api/types";

/**
 * An unsent answer. amends: the key of the answer it replaces, `vote` the number of that vote.
 * paid: it is the first answer of its item that names a class, and not practice.
 */
export interface Outgoing {
  key: string;
  lease: number;
  label: string | null;
  said: VoterResponse;
  seconds: number;
  at: number;
  tries: number;
  paid: boolean;
  amends: string | null;
  vote: number | null;
}

/** Why an answer is final: the correct answer or the other votes were shown. */
export type Final = "practice" | "revealed";

const FINAL_REASONS: Record<Final, string> = {
  practice: "Practice answers cannot be changed.",
  revealed: "The other votes were shown, so this answer can no longer be changed.",
};

/** An answer of this page that may be undone. vote: its number in the service, once it is known. */
export interface GivenAnswer {
  lease: Lease;
  key: string;
  label: string | null;
  said: VoterResponse;
  at: number;
  vote: number | null;
  final: Final | null;
  before: GivenAnswer | null;
}

/** A leased item. again: the answer that was undone. */
export interface InHand {
  lease: Lease;
  again: GivenAnswer | null;
}

/** An item that stays in view after its answer: until its next criterion arrives, or for feedback. */
export interface Held {
  lease: Lease;
  key: string;
  label: string | null;
  said: VoterResponse;
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
  said: VoterResponse;
  seconds: number;
  at: number;
  hold?: Held["why"] | undefined;
}

export const EMPTY: Queue = { hand: [], outbox: [], given: [], held: null, gone: new Set() };
const MAX_UNDO = 50;

/** Updates the leased items from the service. Items answered meanwhile are left out; missing ones were reassigned. */
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

/** Groups the questions of an item. */
function groupByItem(hand: InHand[]): InHand[] {
  const items = [...new Set(hand.map((entry) => entry.lease.item.id))];
  return items.flatMap((item) => hand.filter((entry) => entry.lease.item.id === item));
}

/** Answers a leased item. Repeating an answer that was undone changes nothing. */
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

/** Returns why the last answer cannot be undone; null if it can, "" if there is none. */
export function noUndo(queue: Queue, now: number, seconds: number): string | null {
  const last = queue.given.at(-1);
  if (!last) return "";
  if (last.final) return FINAL_REASONS[last.final];
  if (isUnsent(queue, last.key)) return null;
  return (now - originalAnswer(last).at) / 1000 > seconds ? "The time to change this answer is over." : null;
}

/** Shows the last answered item again. An unsent answer is dropped; a sent one is replaced by the next answer. */
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

/** Marks answers as being sent: from now on the service may know them. */
export function markSending(queue: Queue, keys: string[]): Queue {
  const outbox = queue.outbox.map((outgoing) =>
    keys.includes(outgoing.key) ? { ...outgoing, tries: outgoing.tries + 1 } : outgoing,
  );
  return { ...queue, outbox };
}

/** Applies results of the service. A late answer is dropped, with all changes to it. */
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

/** Marks the answer of an audited task as final after the other votes were shown, even if it was just undone. */
export function reveal(queue: Queue, task: number): Queue {
  const isTask = (entry: { lease: Lease }) => entry.lease.task === task;
  const final = (answer: GivenAnswer): GivenAnswer => (isTask(answer) ? { ...answer, final: "revealed" } : answer);
  const takenBack = queue.hand.flatMap((entry) => (entry.again && isTask(entry) ? [final(entry.again)] : []));
  const hand = queue.hand.filter((entry) => !(entry.again && isTask(entry)));
  return { ...queue, hand, given: [...queue.given.map(final), ...takenBack] };
}

/** Keeps feedback until it is read; otherwise the next item is shown. */
function settleHeld(held: Held | null, key: string, right: string | null): Held | null {
  if (held?.key !== key) return held;
  return held.why === "practice" && right !== null ? { ...held, right } : null;
}

/** Removes leases that were answered elsewhere, for example in another tab. */
export function removeLeases(queue: Queue, leases: number[]): Queue {
  const gone = new Set([...queue.gone, ...leases]);
  return { ...queue, gone, hand: queue.hand.filter((entry) => entry.again !== null || !gone.has(entry.lease.lease)) };
}

/** Adopts unsent answers of a closed page. */
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

/** Continues without waiting for the held item. */
export function releaseHeld(queue: Queue): Queue {
  return { ...queue, held: null };
}

/** Returns the other leases of an item. */
export function otherLeases(queue: Queue, item: number): number[] {
  return queue.hand
    .filter((entry) => entry.again === null && entry.lease.item.id === item)
    .map((entry) => entry.lease.lease);
}

function isUnsent(queue: Queue, key: string): boolean {
  return queue.outbox.some((outgoing) => outgoing.key === key && outgoing.tries === 0);
}

/** Returns the paid answer among an answer and its earlier versions: the first that names a class. */
export function paidAnswer(answer: GivenAnswer): GivenAnswer | null {
  const before = answer.before && paidAnswer(answer.before);
  return before ?? (answer.said === "vote" ? answer : null);
}

/** Returns the first version of an answer. */
function originalAnswer(answer: GivenAnswer): GivenAnswer {
  return answer.before ? originalAnswer(answer.before) : answer;
}
