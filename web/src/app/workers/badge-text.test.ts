import { expect, it } from "vitest";
import { mayVote, spamBadge, stateBadge, votesText } from "./badge-text";

const skill = (value: number) => ({ value, low: value - 0.2, high: value + 0.2 });

it("marks only workers who are rarely correct as guessing", () => {
  const badges = [
    { spam: 0.2, skill: skill(0.3) },
    { spam: 0.7, skill: skill(0.8) },
    { spam: 0.7, skill: null },
    { spam: 0.7, skill: skill(0.2) },
    { spam: null, skill: null },
  ].map((worker) => spamBadge(worker)?.words ?? null);
  expect(badges).toEqual(["Looks fine", "Uncertain", "Uncertain", "Likely guessing", null]);
});
it("shows who is active", () => {
  const badge = (state: string, votes: number, seen_at: number | null, asked = true) =>
    stateBadge({ state, votes, seen_at }, asked, 1000).words;
  expect(badge("new", 0, 990)).toBe("New");
  expect([badge("new", 3, 400), badge("active", 3, 399), badge("active", 3, null)]).toEqual(["Active", "Away", "Away"]);
  expect(badge("active", 3, 990, false)).toBe("Away");
  expect(badge("blocked", 3, 990)).toBe("Blocked");
});
it("counts votes", () => {
  expect([votesText(1), votesText(0), votesText(1200)]).toEqual(["1 vote", "0 votes", "1,200 votes"]);
});
it("knows who may vote", () => {
  expect(["new", "active", "failed", "blocked"].map(mayVote)).toEqual([true, true, false, false]);
});
