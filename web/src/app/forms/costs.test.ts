import { describe, expect, it } from "vitest";
import type { ProjectSettings } from "../../api";
import { costsInVotes, errorNames, resizeCosts, toCosts, withCrowdPrice, withMode } from "./costs";
import { classOf, newSettings } from "./defaults";

function yesNo() {
  const settings = newSettings();
  return {
    ...settings,
    questions: [{ name: "label", text: "Is it?", classes: [classOf("yes"), classOf("no")], holds: null }],
  };
}

describe("costs of errors in votes", () => {
  it("counts by the price of a vote", () => {
    expect(costsInVotes(yesNo())).toEqual({ mode: "even", votes: [50] });
    expect(toCosts({ mode: "even", votes: [30] }, yesNo())).toEqual({ error: 1.5, matrix: null, unclassifiable: null });
  });

  it("puts a wrong yes where the truth is no", () => {
    const costs = toCosts({ mode: "by answer", votes: [10, 40] }, yesNo());
    expect(costs.matrix).toEqual([
      [0, 2],
      [0.5, 0],
    ]);
    expect(costsInVotes({ ...yesNo(), costs })).toEqual({ mode: "by answer", votes: [10, 40] });
    expect(errorNames(yesNo())).toEqual(["Wrong “yes”", "Wrong “no”"]);
  });

  it("names the errors of a screening", () => {
    const settings = { ...yesNo(), kind: "screening" as const };
    expect(errorNames(settings)).toEqual(["Wrongly excluded item", "Wrongly included item"]);
    // the truth is to keep it (1), and it was left out (0)
    expect(toCosts({ mode: "by answer", votes: [100, 10] }, settings).matrix).toEqual([
      [0, 0.5],
      [5, 0],
    ]);
  });

  it("keeps a matrix that the form cannot express", () => {
    const matrix = [
      [0, 1, 2],
      [3, 0, 4],
      [5, 6, 0],
    ];
    const settings = { ...yesNo(), costs: { error: 1, matrix, unclassifiable: null } };
    expect(costsInVotes(settings).mode).toBe("own");
    expect(toCosts(costsInVotes(settings), settings)).toBe(settings.costs);
  });

  it("keeps the number of votes when their price changes", () => {
    const changed = withCrowdPrice(yesNo(), 0.1);
    expect(changed.costs.error).toBe(5);
    expect(changed.prices.votes).toEqual({ crowd: 0.1, expert: 0.5 });
  });

  it("keeps it at whatever a price looks like while it is typed", () => {
    let settings: ProjectSettings = { ...yesNo(), costs: { error: 2.5, matrix: null, unclassifiable: 1 } };
    for (const typed of ["", "0", "0.", "0.1", "0.12", "0.1", "-", "-1", "", "0", "0.0", "0.08"])
      settings = { ...settings, ...withCrowdPrice(settings, typed ? Number(typed) : Number.NaN) };
    expect(costsInVotes(settings)).toEqual({ mode: "even", votes: [50] });
    expect(settings.costs).toEqual({ error: 4, matrix: null, unclassifiable: 1.6 });
  });

  it("starts another mode with the current costs", () => {
    expect(withMode("by answer", yesNo())).toEqual({ mode: "by answer", votes: [50, 50] });
  });

  it("fits a matrix to more answers", () => {
    const costs = toCosts({ mode: "by answer", votes: [10, 40] }, yesNo());
    const three = { ...yesNo(), costs };
    three.questions = [{ name: "label", text: "Which?", classes: ["a", "b", "c"].map(classOf), holds: null }];
    expect(resizeCosts(three).matrix).toEqual([
      [0, 2, 0.5],
      [0.5, 0, 0.5],
      [0.5, 2, 0],
    ]);
    expect(resizeCosts(yesNo())).toEqual(yesNo().costs);
  });
});
