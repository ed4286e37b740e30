import { describe, expect, it } from "vitest";
import { extent, needsLogScale, placeLabel, positiveOnly, sampleIndices, stacked } from "./series";

const line = (values: (number | null)[]) => ({ name: "a", tone: "", values });

describe("what a chart draws", () => {
  it("lays lines upon each other, and takes what is missing as nothing", () => {
    expect(stacked([line([1, 2]), line([3, null]), line([1, 1])])).toEqual([
      [1, 2],
      [4, 2],
      [5, 3],
    ]);
  });
  it("keeps both ends of a long row", () => {
    expect(sampleIndices(3, 10)).toEqual([0, 1, 2]);
    expect(sampleIndices(101, 5)).toEqual([0, 25, 50, 75, 100]);
  });
  it("writes no word upon another", () => {
    const word = { left: 10, top: 20, width: 50 };
    const others = [word, { ...word, top: 32 }];
    expect(placeLabel({ left: 30, top: 18, width: 50 }, others, 14)).toEqual({ left: 30, top: 46, width: 50 });
    expect(placeLabel({ left: 60, top: 18, width: 50 }, others, 14).top).toBe(18);
  });
  it("makes room for marks", () => {
    expect(extent([2, null, 5], [9])).toEqual({ low: 2, high: 9 });
    expect(extent([2, 5], [], 0)).toEqual({ low: 0, high: 5 });
  });
  it("never gives a scale without length", () => {
    expect(extent([])).toEqual({ low: 0, high: 1 });
    expect(extent([0])).toEqual({ low: 0, high: 1 });
    expect(extent([4, 4])).toEqual({ low: 4, high: 8 });
  });
  it("takes powers of ten only for what is far apart", () => {
    expect(needsLogScale([0.5, 0.1, 0])).toBe(false);
    expect(needsLogScale([0.5, 0.01])).toBe(true);
    expect(needsLogScale([0])).toBe(false);
    expect(positiveOnly([0, 0.1, null])).toEqual([null, 0.1, null]);
  });
});
