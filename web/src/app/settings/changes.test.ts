import { describe, expect, it } from "vitest";
import { newSettings } from "../forms/defaults";
import { changesOf } from "./changes";

describe("what was changed", () => {
  it("is told in words, with money and shares as people write them", () => {
    const before = newSettings();
    const after = {
      ...before,
      prices: { ...before.prices, votes: { crowd: 0.08, expert: 0.5 } },
      audit_share: 0.05,
      budget: 100,
      endless: true,
    };
    expect(changesOf(before, after)).toEqual([
      { what: "Price of a worker's vote", from: "0.05\u00a0EUR", to: "0.08\u00a0EUR" },
      { what: "Budget", from: "no limit", to: "100\u00a0EUR" },
      { what: "Decided items looked at again", from: "2\u00a0%", to: "5\u00a0%" },
      { what: "Items keep coming", from: "no", to: "yes" },
    ]);
  });

  it("is nothing where nothing was", () => {
    expect(changesOf(newSettings(), newSettings())).toEqual([]);
  });

  it("tells parts that are added or taken away", () => {
    const before = newSettings();
    const votes = { crowd: 0.05 };
    const after = {
      ...before,
      prices: { ...before.prices, votes },
      consent: { version: "1", text: "I agree.", url: null },
    };
    expect(changesOf(before, after)).toEqual([
      { what: "Price of an expert's vote", from: "0.50\u00a0EUR", to: "none" },
      { what: "Version of the consent", from: "none", to: "1" },
      { what: "What workers agree to", from: "none", to: "I agree." },
    ]);
  });

  it("counts a matrix as one", () => {
    const before = newSettings();
    const matrix = [
      [0, 1],
      [2, 0],
    ];
    const changes = changesOf(before, { ...before, costs: { ...before.costs, matrix } });
    expect(changes).toEqual([{ what: "What errors cost, by answer", from: "none", to: "0, 1 / 2, 0" }]);
  });

  it("understands parts of settings, as the log keeps them", () => {
    expect(
      changesOf(
        { policy: { name: "fixed_votes", options: { n: 3 } } },
        { policy: { name: "fixed_votes", options: { n: 5 } } },
      ),
    ).toEqual([{ what: "Option of the policy: n", from: "3", to: "5" }]);
  });
});
