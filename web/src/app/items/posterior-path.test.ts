import { describe, expect, it } from "vitest";
import type { VoteRecord } from "../../api";
import { amendedVotes, formatProbability, pathLines, posteriorAfterVotes } from "./posterior-path";

const path = [
  { after: null, votes: 0, posterior: { cat: 0.5, dog: 0.4, bird: 0.1 } },
  { after: 11, votes: 1, posterior: { cat: 0.2, dog: 0.75, bird: 0.05 } },
  { after: 12, votes: 2, posterior: { cat: 0.05, dog: 0.94, bird: 0.01 } },
];

const vote = (id: number, voter: string, amendment: number) => ({ id, voter, amendment }) as VoteRecord;

describe("probabilities over time", () => {
  it("has a line for each class, the most probable last, on top", () => {
    const lines = pathLines(path);
    expect(lines.map((line) => line.name)).toEqual(["bird", "cat", "dog"]);
    expect(lines[2]?.values).toEqual([0.4, 0.75, 0.94]);
  });
  it("shows no more lines than one can tell apart", () => {
    const posterior = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`c${i}`, i / 45]));
    expect(pathLines([{ after: null, votes: 0, posterior }]).map((line) => line.name)).toEqual([
      "c5",
      "c6",
      "c7",
      "c8",
      "c9",
    ]);
  });
  it("tells which vote led where", () => {
    expect(posteriorAfterVotes(path).get(11)).toEqual({ number: 1, name: "dog", share: 0.75 });
    expect(posteriorAfterVotes(path).get(13)).toBeUndefined();
  });
});

it("strikes out what a voter has changed", () => {
  const votes = [vote(1, "v1", 0), vote(2, "v2", 0), vote(3, "v1", 1), vote(4, "v1", 2)];
  expect([...amendedVotes(votes)]).toEqual([1, 3]);
});

it("never rounds up to certainty", () => {
  const texts = [1, 0.99999, 0.9968, 0.988, 0.5, 0.0034, 0.00001, 0].map((share) =>
    formatProbability(share).replace("%", ""),
  );
  expect(texts).toEqual(["100", "99.9", "99.7", "99", "50", "0.3", "0.1", "0"]);
});
