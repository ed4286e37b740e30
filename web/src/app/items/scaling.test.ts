import { describe, expect, it } from "vitest";
import { barHeight, MOST_PX, positionAt, rowsIn, scrolled, scrollToRow } from "./scaling";

const ROW = 52;
const million = { whole: 1_000_000 * ROW, view: 600 };
const few = { whole: 100 * ROW, view: 600 };

describe("a list that fits the bar", () => {
  it("moves as the bar does", () => {
    expect(barHeight(few.whole)).toBe(few.whole);
    expect(scrolled({ top: 0, scroll: 0 }, 4000, few)).toEqual({ top: 4000, scroll: 4000 });
  });
  it("stays where it is when it is shorter than the view", () => {
    expect(positionAt(300, { whole: 100, view: 600 })).toEqual({ top: 0, scroll: 0 });
  });
});

describe("a list of a million rows", () => {
  it("has a bar that browsers can make", () => {
    expect(barHeight(million.whole)).toBe(MOST_PX);
  });
  it("moves by the wheel as far as the wheel says", () => {
    const middle = positionAt(26_000_000, million);
    expect(scrolled(middle, middle.scroll + 100, million).top).toBe(26_000_100);
    expect(scrolled(middle, middle.scroll - 100, million).top).toBe(25_999_900);
  });
  it("is in its middle when the bar is dragged to the middle", () => {
    const bar = MOST_PX - million.view;
    const { top } = scrolled({ top: 0, scroll: 0 }, bar / 2, million);
    expect(top).toBeCloseTo((million.whole - million.view) / 2, 3);
  });
  it("reaches both ends with the bar", () => {
    const last = million.whole - million.view;
    expect(scrolled({ top: 500, scroll: 90 }, 0, million).top).toBe(0);
    expect(scrolled({ top: last - 90, scroll: MOST_PX - 690 }, MOST_PX - million.view, million).top).toBe(last);
    expect(positionAt(last, million).scroll).toBe(MOST_PX - million.view);
  });
});

describe("seeing a row", () => {
  it("moves no more than needed", () => {
    const here = { top: 520, scroll: 520 };
    expect(scrollToRow(12, ROW, here, few)).toBe(here);
    expect(scrollToRow(9, ROW, here, few).top).toBe(9 * ROW);
    expect(scrollToRow(99, ROW, here, few).top).toBe(100 * ROW - 600);
  });
  it("draws what is seen and little more", () => {
    expect(rowsIn({ top: 0, scroll: 0 }, 600, ROW, 1_000_000)).toEqual([0, 18]);
    expect(rowsIn({ top: 520, scroll: 520 }, 520, ROW, 15)).toEqual([4, 15]);
    expect(rowsIn({ top: 0, scroll: 0 }, 600, ROW, 0)).toEqual([0, 0]);
  });
});
