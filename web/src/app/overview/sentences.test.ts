import { describe, expect, it } from "vitest";
import {
  budgetWarning,
  certificateSentence,
  daysLeft,
  expectedErrorSentence,
  fixedVotesSentence,
  forecastSentence,
  formatShare,
  noForecastYet,
  roundMoney,
} from "./sentences";

const spend = { value: 1253.2, low: 1084, high: 1458 };
const forecast = { at: 0, spend, votes: spend, days: { value: 3.1, low: 2, high: 5 }, errors: null };
const certificate = { accepted: 900, audited: 120, wrong: 1, bound: 0.021, delta: 0.1 };

describe("sentences of the overview", () => {
  it("says when the first forecast appears", () => {
    expect(noForecastYet(3)).toBe("appears after about 20 votes.");
    expect(noForecastYet(500)).toContain("next model versions");
  });

  it("rounds forecasts", () => {
    expect([roundMoney(1253.2), roundMoney(41.234), roundMoney(2.345), roundMoney(0.126), roundMoney(123_456)]).toEqual(
      ["1,250", "41", "2.30", "0.13", "123,000"],
    );
    expect(forecastSentence(forecast, "EUR", daysLeft(forecast, 509.2, 10))).toBe(
      "about 1,250\u00a0EUR in total (80% interval: 1,080 to 1,460). Time left at the current pace: about 3.1\u00a0days.",
    );
  });
  it("knows no pace while nobody is asked", () => {
    expect(forecastSentence(forecast, "EUR", daysLeft(forecast, 500, 0))).not.toContain("at this pace");
  });
  it("states an exact forecast without an interval", () => {
    const exact = { ...forecast, spend: { value: 7, low: 7, high: 7 }, days: null };
    expect(forecastSentence(exact, "", null)).toBe("7 in total.");
  });
  it("compares with fixed votes", () => {
    const fixed = [3, 5].map((votes) => ({ votes, spend: 1797 * votes, error: null }));
    expect(fixedVotesSentence(fixed, "EUR")).toBe(
      "For comparison: 5,391\u00a0EUR with 3 votes per item, 8,985\u00a0EUR with 5 votes per item.",
    );
    expect(fixedVotesSentence([], "")).toBeNull();
  });
  it("warns where the budget is short", () => {
    expect(budgetWarning(spend, null, "")).toBeNull();
    expect(budgetWarning(spend, 2000, "")).toBeNull();
    expect(budgetWarning(spend, 1300, "")).toContain("may be used up");
    expect(budgetWarning(spend, 1000, "EUR")).toContain("1,000\u00a0EUR will likely be used up");
  });
  it("states an error only where an audit allows it", () => {
    const { sure, text } = certificateSentence(certificate, 0.1);
    expect(sure).toBe("Error rate at most 2.1%");
    expect(text).toBe(
      "With 90% confidence. Experts audited 120 of 900 accepted labels, selected at random; 1 was wrong.",
    );
    expect(certificateSentence({ ...certificate, audited: 13 }, 0.1).text).toContain("A larger audit");
    const vague = certificateSentence({ ...certificate, audited: 2, bound: 0.98 }, 0.1);
    expect(vague.sure).toBeNull();
    expect(vague.text).toContain("still small: the error rate is at most 98%, with 90% confidence.");
    expect(certificateSentence(null, 0).text).toContain("set an audit share in the settings");
    expect(certificateSentence(null, 0, true).text).toContain("reopen the project");
    expect(certificateSentence({ ...certificate, audited: 0, bound: null }, 0.05).text).toContain("5%");
  });
  it("states the expected error rate", () => {
    const band = { value: 0.0123, low: 0.00615, high: 0.0246 };
    expect([expectedErrorSentence(null, 9), expectedErrorSentence(band, 0)]).toEqual([null, null]);
    expect(expectedErrorSentence(band, 1200)).toBe(
      "Model estimate: about 1.2% of 1,200 labels by crowd and classifier are wrong (80% band 0.6% to 2.5%).",
    );
    expect([formatShare(0), formatShare(0.0004), formatShare(0.2)]).toEqual(["0%", "0.04%", "20%"]);
  });
});
