import { expect, it } from "vitest";
import { spamSentence } from "./SpamWarning";

const worker = (spam: number, votes: number, state = "active") => ({
  state,
  spam,
  votes,
  skill: { value: 0.3, low: 0.1, high: 0.5 },
});

it("counts workers who likely guess and their share of the votes", () => {
  expect(spamSentence([worker(0.1, 60), worker(0.9, 20), worker(0.8, 20)])).toBe(
    "2 workers likely guess at random (40% of votes).",
  );
  expect(spamSentence([worker(0.1, 60), worker(0.9, 20, "blocked")])).toBeNull();
});
