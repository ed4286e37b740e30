import { describe, expect, it } from "vitest";
import type { VoteTaken } from "../../api/types";
import * as queues from "./queue";
import { EMPTY, type Queue } from "./queue";
import { lease } from "./samples";

const hand = (...numbers: number[]): Queue =>
  queues.take(
    EMPTY,
    numbers.map((number) => lease(number)),
  );
const shown = (queue: Queue) => queue.hand.map((entry) => entry.lease.lease);
const say = (queue: Queue, number: number, label: string, key = `k${number}`, at = 0) =>
  queues.answer(queue, number, { key, label, said: "vote", seconds: 1, at });
const taken = (key: string, vote: number | null, right: string | null = null): VoteTaken => ({
  key,
  outcome: vote === null ? "late" : "counted",
  vote,
  right,
});

describe("what is in hand", () => {
  it("keeps its order, and takes what is new at the end", () => {
    expect(shown(queues.take(hand(1, 2), [lease(3), lease(2), lease(1)]))).toEqual([1, 2, 3]);
  });
  it("does not bring back what was answered, whatever an older answer of the service says", () => {
    expect(shown(queues.take(say(hand(1, 2), 1, "cat"), [lease(1), lease(2)]))).toEqual([2]);
  });
  it("loses what the service no longer lists", () => {
    expect(shown(queues.take(hand(1, 2), [lease(2)]))).toEqual([2]);
  });
  it("loses what another tab has answered", () => {
    expect(shown(queues.removeLeases(hand(1, 2), [1]))).toEqual([2]);
  });
  it("puts the next criterion of an item first", () => {
    const next = [lease(2), lease(3, "b", 1)];
    expect(shown(queues.take(say(hand(1, 2), 1, "yes"), next, 1))).toEqual([3, 2]);
  });
});

describe("undo", () => {
  it("of an answer that was not sent is as if it was never given", () => {
    const back = queues.undo(say(hand(1, 2), 1, "cat"));
    expect([shown(back), back.outbox]).toEqual([[1, 2], []]);
    expect(say(back, 1, "dog").outbox[0]).toMatchObject({ label: "dog", amends: null });
  });
  it("of an answer that was sent lets the new one take its place", () => {
    const sent = queues.settle(queues.markSending(say(hand(1, 2), 1, "cat"), ["k1"]), [taken("k1", 7)]);
    const changed = say(queues.undo(sent), 1, "dog", "k2");
    expect(changed.outbox).toMatchObject([{ key: "k2", amends: "k1", vote: 7, label: "dog" }]);
  });
  it("of an answer on its way waits for its number", () => {
    const under = queues.markSending(say(hand(1, 2), 1, "cat"), ["k1"]);
    const changed = say(queues.undo(under), 1, "dog", "k2");
    expect(changed.outbox.map((outgoing) => outgoing.key)).toEqual(["k1", "k2"]);
    expect(queues.settle(changed, [taken("k1", 7)]).outbox).toMatchObject([{ key: "k2", vote: 7 }]);
  });
  it("of a change that was not sent leaves the first answer", () => {
    const sent = queues.settle(queues.markSending(say(hand(1), 1, "cat"), ["k1"]), [taken("k1", 7)]);
    const twice = queues.undo(say(queues.undo(sent), 1, "dog", "k2"));
    expect(twice.outbox).toEqual([]);
    expect(twice.hand[0]?.again).toMatchObject({ key: "k1", label: "cat" });
  });
  it("goes back several items, and forward again in the same order", () => {
    const two = say(say(hand(1, 2, 3), 1, "cat"), 2, "cat");
    expect(shown(queues.undo(queues.undo(two)))).toEqual([1, 2, 3]);
  });
  it("followed by the same answer sends nothing", () => {
    const sent = queues.settle(queues.markSending(say(hand(1), 1, "cat"), ["k1"]), [taken("k1", 7)]);
    expect(say(queues.undo(sent), 1, "cat", "k2").outbox).toEqual([]);
  });
  it("is refused for practice, and for what is too old", () => {
    const practice = queues.answer(hand(1), 1, {
      key: "k",
      label: "cat",
      said: "vote",
      seconds: 1,
      at: 0,
      hold: "practice",
    });
    expect(queues.noUndo(practice, 0, 600)).toMatch("Practice");
    const old = queues.settle(queues.markSending(say(hand(1), 1, "cat"), ["k1"]), [taken("k1", 7)]);
    expect(queues.noUndo(old, 599_000, 600)).toBeNull();
    expect(queues.noUndo(old, 601_000, 600)).toMatch("time to change");
  });
  it("is refused once the other votes were shown, of that answer only", () => {
    const two = queues.settle(say(say(hand(1, 2, 3), 1, "cat"), 2, "cat"), [taken("k1", 7), taken("k2", 8)]);
    const first = queues.reveal(two, lease(1).task);
    expect(queues.noUndo(first, 0, 600)).toBeNull();
    expect(queues.noUndo(queues.undo(first), 0, 600)).toMatch("The other votes were shown");
    expect(queues.noUndo(queues.reveal(two, lease(2).task), 0, 600)).toMatch("The other votes were shown");
  });
  it("ends where what others said is shown meanwhile: the answer stands as it was", () => {
    const sent = queues.settle(say(hand(1, 2), 1, "cat"), [taken("k1", 7)]);
    const after = queues.reveal(queues.undo(sent), lease(1).task);
    expect(shown(after)).toEqual([2]);
    expect(after.given).toMatchObject([{ key: "k1", label: "cat", final: "revealed" }]);
  });
});

describe("an answer that came too late", () => {
  it("is forgotten, with the change that was to follow it", () => {
    const under = queues.markSending(say(hand(1, 2), 1, "cat"), ["k1"]);
    const changed = say(queues.undo(under), 1, "dog", "k2");
    const after = queues.settle(changed, [taken("k1", null)]);
    expect([after.outbox, shown(after)]).toEqual([[], [2]]);
  });
  it("leaves the hand while it is shown again", () => {
    const back = queues.undo(queues.markSending(say(hand(1, 2), 1, "cat"), ["k1"]));
    expect(shown(queues.settle(back, [taken("k1", null)]))).toEqual([2]);
  });
});

describe("an item held in view", () => {
  const held = (hold: "turn" | "practice") =>
    queues.answer(hand(1, 2), 1, { key: "k1", label: "cat", said: "vote", seconds: 1, at: 0, hold });
  it("stays with its feedback after practice", () => {
    expect(queues.settle(held("practice"), [taken("k1", 7, "dog")]).held).toMatchObject({
      label: "cat",
      right: "dog",
    });
  });
  it("makes way once the service has answered", () => {
    expect(queues.settle(held("turn"), [taken("k1", 7)]).held).toBeNull();
  });
});
