import { describe, expect, it } from "vitest";
import { formatNumber, isSameNumber, parseNumber } from "./numbers";

describe("numbers as they are typed", () => {
  it("takes commas, spaces and per cent", () => {
    expect([parseNumber("0,05", false), parseNumber("1 000", false), parseNumber("10", false, 100)]).toEqual([
      0.05, 1000, 0.1,
    ]);
  });
  it("knows nothing from nonsense", () => {
    expect(parseNumber("", true)).toBeNull();
    expect(parseNumber("", false)).toBeNaN();
    expect(parseNumber("ten", true)).toBeNaN();
  });
  it("writes back what was read", () => {
    expect([formatNumber(0.07, 100), formatNumber(null), formatNumber(Number.NaN)]).toEqual(["7", "", ""]);
    expect([isSameNumber(Number.NaN, null), isSameNumber(1, 1), isSameNumber(1, null)]).toEqual([true, true, false]);
  });
});
