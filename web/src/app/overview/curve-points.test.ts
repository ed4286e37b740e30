import { describe, expect, it } from "vitest";
import type { Overview, Point } from "../../api";
import { decisionCurves, errorCurve, fixedVoteMarks, withCurrentPoint } from "./curve-points";

const point = (votes: number, statuses: Point["statuses"], risk: number | null = null): Point => ({
  at: 1000 + votes,
  votes,
  spent: 2 * votes,
  statuses,
  risk,
});

describe("curve points", () => {
  it("has one line per kind of decision, from expert to open", () => {
    const { x, lines } = decisionCurves(
      [point(0, { waiting: 9 }), point(5, { crowd: 2, machine: 3, asking: 4 })],
      "votes",
    );
    expect(x).toEqual([0, 5]);
    expect(lines.map((line) => [line.name, ...line.values])).toEqual([
      ["Expert", 0, 0],
      ["Crowd", 0, 2],
      ["Classifier", 0, 3],
      ["Open", 9, 4],
    ]);
  });
  it("keeps the latest of points at the same place", () => {
    const { x, lines } = decisionCurves([point(5, { waiting: 9 }), point(5, { crowd: 9 })], "votes");
    expect(x).toEqual([5]);
    expect(lines.find((line) => line.name === "Crowd")?.values).toEqual([9]);
  });
  it("leaves out where the risk is not known yet", () => {
    const { x, lines } = errorCurve([point(0, {}), point(3, {}, 0.4), point(9, {}, 0.1)]);
    expect([x, lines[0]?.values]).toEqual([
      [6, 18],
      [0.4, 0.1],
    ]);
  });
  it("ends where the counts are now", () => {
    const now = { votes: 8, spent: 16, tasks: { a: { crowd: 2 }, b: { crowd: 1 } } } as unknown as Overview;
    expect(withCurrentPoint([point(5, {})], now, 2000).at(-1)).toEqual({
      at: 2000,
      votes: 8,
      spent: 16,
      statuses: { crowd: 3 },
      risk: null,
    });
  });
  it("marks fixed votes, with or without their error", () => {
    expect(fixedVoteMarks([{ votes: 3, spend: 30, error: null }])).toEqual([{ name: "3 votes", x: 30, y: null }]);
  });
});
