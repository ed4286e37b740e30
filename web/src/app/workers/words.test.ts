import { expect, it } from "vitest";
import { mayVote, spamOf, stateOf, votesOf } from "./words";

const skill = (value: number) => ({ value, low: value - 0.2, high: value + 0.2 });

it("calls only those spammers who are hardly ever right", () => {
  const told = [
    { spam: 0.2, skill: skill(0.3) },
    { spam: 0.7, skill: skill(0.8) },
    { spam: 0.7, skill: null },
    { spam: 0.7, skill: skill(0.2) },
    { spam: null, skill: null },
  ].map((worker) => spamOf(worker)?.words ?? null);
  expect(told).toEqual(["Looks fine", "Not clear yet", "Not clear yet", "Likely guessing", null]);
});
it("tells who is at work", () => {
  const told = (state: string, votes: number, seen_at: number | null, asked = true) =>
    stateOf({ state, votes, seen_at }, asked, 1000).words;
  expect(told("new", 0, 990)).toBe("New");
  expect([told("new", 3, 400), told("active", 3, 399), told("active", 3, null)]).toEqual(["At work", "Away", "Away"]);
  expect(told("active", 3, 990, false)).toBe("Away");
  expect(told("blocked", 3, 990)).toBe("Blocked");
});
it("counts votes", () => {
  expect([votesOf(1), votesOf(0), votesOf(1200)]).toEqual(["1 vote", "0 votes", "1,200 votes"]);
});
it("knows who may vote", () => {
  expect(["new", "active", "failed", "blocked"].map(mayVote)).toEqual([true, true, false, false]);
});
