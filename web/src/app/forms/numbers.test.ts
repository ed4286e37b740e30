import { describe, expect, it } from "vitest";
import { parsed, same, written } from "./numbers";

describe("numbers as they are typed", () => {
  it("takes commas, spaces and per cent", () => {
    expect([parsed("0,05", false), parsed("1 000", false), parsed("10", false, 100)]).toEqual([0.05, 1000, 0.1]);
  });
  it("knows nothing from nonsense", () => {
    expect(parsed("", true)).toBeNull();
    expect(parsed("", false)).toBeNaN();
    expect(parsed("ten", true)).toBeNaN();
  });
  it("writes back what was read", () => {
    expect([written(0.07, 100), written(null), written(Number.NaN)]).toEqual(["7", "", ""]);
    expect([same(Number.NaN, null), same(1, 1), same(1, null)]).toEqual([true, true, false]);
  });
});
