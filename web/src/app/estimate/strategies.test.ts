import { describe, expect, it } from "vitest";
import type { Band, Estimate, Strategy } from "../../api";
import { itemsLeft, rowsOf, savingSentence } from "./strategies";

const band = (value: number): Band => ({ value, low: value - 1, high: value + 1 });
const strategy = (cost: number, days: number | null, errors: number | null): Strategy => ({
  votes: band(cost),
  spend: band(cost),
  days: days === null ? null : band(days),
  errors: errors === null ? null : band(errors),
});
const estimate: Estimate = {
  at: 0,
  spent: 10,
  questions: {
    a: { items_left: 90, strategies: { fixed_5: strategy(200, 3, null), engine: strategy(100, 3, 2) } },
    b: { items_left: 90, strategies: { fixed_5: strategy(200, 3, null), engine: strategy(50, 9, null) } },
  },
  warnings: [],
};

describe("the strategies of an estimate", () => {
  it("adds the questions up, Quorate's strategy first", () => {
    const [first, ...others] = rowsOf(estimate);
    expect([first?.key, first?.spend]).toEqual(["engine", { value: 150, low: 148, high: 152 }]);
    expect(others.map((row) => row.key)).toEqual(["fixed_5"]);
  });
  it("ends with the slowest question, and knows errors only if all do", () => {
    expect(rowsOf(estimate)[0]).toMatchObject({ days: { value: 9 }, errors: null });
  });
  it("leaves out what a question does not have", () => {
    const some = { ...estimate, questions: { ...estimate.questions, c: { items_left: 1, strategies: {} } } };
    expect(rowsOf(some)).toEqual([]);
  });
  it("tells what is left, and what is saved", () => {
    expect(itemsLeft(estimate)).toBe(90);
    expect(savingSentence(rowsOf(estimate))).toBe("63% less than 5 votes per item");
    expect(savingSentence([])).toBeNull();
  });
});
