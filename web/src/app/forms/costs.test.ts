import { describe, expect, it } from "vitest";
import type { ProjectSettings } from "../../api";
import { costsOf, costWords, errorsOf, fitted, repriced, told } from "./costs";
import { classOf, newSettings } from "./defaults";

function yesNo() {
  const settings = newSettings();
  return {
    ...settings,
    questions: [{ name: "label", text: "Is it?", classes: [classOf("yes"), classOf("no")], holds: null }],
  };
}

describe("what errors cost, in words", () => {
  it("counts by the price of a vote", () => {
    expect(costWords(yesNo())).toEqual({ how: "even", each: [50] });
    expect(costsOf({ how: "even", each: [30] }, yesNo())).toEqual({ error: 1.5, matrix: null, unclassifiable: null });
  });

  it("puts a wrong yes where the truth is no", () => {
    const costs = costsOf({ how: "by answer", each: [10, 40] }, yesNo());
    expect(costs.matrix).toEqual([
      [0, 2],
      [0.5, 0],
    ]);
    expect(costWords({ ...yesNo(), costs })).toEqual({ how: "by answer", each: [10, 40] });
    expect(errorsOf(yesNo())).toEqual(["A wrong “yes”", "A wrong “no”"]);
  });

  it("knows screening by items left out and kept", () => {
    const settings = { ...yesNo(), kind: "screening" as const };
    expect(errorsOf(settings)).toEqual(["An item wrongly left out", "An item wrongly kept"]);
    // the truth is to keep it (1), and it was left out (0)
    expect(costsOf({ how: "by answer", each: [100, 10] }, settings).matrix).toEqual([
      [0, 0.5],
      [5, 0],
    ]);
  });

  it("leaves a matrix alone that words cannot tell", () => {
    const matrix = [
      [0, 1, 2],
      [3, 0, 4],
      [5, 6, 0],
    ];
    const settings = { ...yesNo(), costs: { error: 1, matrix, unclassifiable: null } };
    expect(costWords(settings).how).toBe("own");
    expect(costsOf(costWords(settings), settings)).toBe(settings.costs);
  });

  it("keeps the number of votes when their price changes", () => {
    const changed = repriced(yesNo(), 0.1);
    expect(changed.costs.error).toBe(5);
    expect(changed.prices.votes).toEqual({ crowd: 0.1, expert: 0.5 });
  });

  it("keeps it at whatever a price looks like while it is typed", () => {
    let settings: ProjectSettings = { ...yesNo(), costs: { error: 2.5, matrix: null, unclassifiable: 1 } };
    for (const typed of ["", "0", "0.", "0.1", "0.12", "0.1", "-", "-1", "", "0", "0.0", "0.08"])
      settings = { ...settings, ...repriced(settings, typed ? Number(typed) : Number.NaN) };
    expect(costWords(settings)).toEqual({ how: "even", each: [50] });
    expect(settings.costs).toEqual({ error: 4, matrix: null, unclassifiable: 1.6 });
  });

  it("begins another way of telling with what is there", () => {
    expect(told("by answer", yesNo())).toEqual({ how: "by answer", each: [50, 50] });
  });

  it("fits a matrix to more answers", () => {
    const costs = costsOf({ how: "by answer", each: [10, 40] }, yesNo());
    const three = { ...yesNo(), costs };
    three.questions = [{ name: "label", text: "Which?", classes: ["a", "b", "c"].map(classOf), holds: null }];
    expect(fitted(three).matrix).toEqual([
      [0, 2, 0.5],
      [0.5, 0, 0.5],
      [0.5, 2, 0],
    ]);
    expect(fitted(yesNo())).toEqual(yesNo().costs);
  });
});
