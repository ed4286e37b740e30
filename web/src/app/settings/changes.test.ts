import { describe, expect, it } from "vitest";
import { newSettings } from "../forms/defaults";
import { changesOf } from "./changes";

describe("what was changed", () => {
  it("is described in words, with money and percentages", () => {
    const before = newSettings();
    const after = {
      ...before,
      prices: { ...before.prices, votes: { crowd: 0.08, expert: 0.5 } },
      audit_share: 0.05,
      budget: 100,
      endless: true,
    };
    expect(changesOf(before, after)).toEqual([
      { what: "Price per worker vote", from: "0.05\u00a0EUR", to: "0.08\u00a0EUR" },
      { what: "Budget", from: "no limit", to: "100\u00a0EUR" },
      { what: "Audit share", from: "2%", to: "5%" },
      { what: "Continuous project", from: "no", to: "yes" },
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
      { what: "Price per expert vote", from: "0.50\u00a0EUR", to: "none" },
      { what: "Consent version", from: "none", to: "1" },
      { what: "Consent text", from: "none", to: "I agree." },
    ]);
  });

  it("counts a matrix as one", () => {
    const before = newSettings();
    const matrix = [
      [0, 1],
      [2, 0],
    ];
    const changes = changesOf(before, { ...before, costs: { ...before.costs, matrix } });
    expect(changes).toEqual([{ what: "Error costs by answer", from: "none", to: "0, 1 / 2, 0" }]);
  });

  it("understands parts of settings, as the log keeps them", () => {
    expect(
      changesOf(
        { policy: { name: "fixed_votes", options: { n: 3 } } },
        { policy: { name: "fixed_votes", options: { n: 5 } } },
      ),
    ).toEqual([{ what: "Policy option: n", from: "3", to: "5" }]);
  });
});
