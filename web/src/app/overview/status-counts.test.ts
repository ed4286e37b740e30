import { describe, expect, it } from "vitest";
import { itemCount, openCount, statusParts, sumStatuses } from "./status-counts";

describe("who decided", () => {
  it("counts what waits and what is asked as open", () => {
    const parts = statusParts({ machine: 5, crowd: 3, waiting: 2, asking: 4 });
    expect(parts.map((part) => [part.status, part.n])).toEqual([
      ["machine", 5],
      ["crowd", 3],
      ["expert", 0],
      ["open", 6],
    ]);
  });
  it("leaves none of the rare ones out", () => {
    const parts = statusParts({ excluded: 7, undecided: 1, unclassifiable: 2 });
    expect(parts.reduce((sum, part) => sum + part.n, 0)).toBe(10);
  });
  it("adds questions, and counts items once", () => {
    const tasks = { a: { crowd: 3, waiting: 1 }, b: { crowd: 1, asking: 3 } };
    expect(sumStatuses(tasks)).toEqual({ crowd: 4, waiting: 1, asking: 3 });
    expect([itemCount(tasks), openCount(sumStatuses(tasks)), itemCount({})]).toEqual([4, 4, 0]);
  });
});
