import { describe, expect, it } from "vitest";
import { ago, momentFormat, money, percent, seconds, short } from "./format";

describe("numbers as people read them", () => {
  it("gives money as many decimals as it needs", () => {
    expect([money(1280), money(12.4), money(0.05), money(3), money(0), money(1234.5)]).toEqual([
      "1,280",
      "12.40",
      "0.05",
      "3",
      "0",
      "1,235",
    ]);
    expect(money(0.0025, "EUR")).toBe("0.0025\u00a0EUR");
  });
  it("shortens what is large", () => {
    expect([short(9999), short(1_000_000)]).toEqual(["9,999", "1M"]);
  });
  it("tells moments apart", () => {
    const noon = new Date(2026, 10, 16, 12).getTime() / 1000;
    expect([60, 3600, 100_000, 1_000_000].map((span) => momentFormat(span)(noon))).toEqual([
      "12:00:00",
      "12:00",
      "16 Nov 12:00",
      "16 Nov",
    ]);
  });
  it("tells spans of time", () => {
    expect([seconds(1.25), seconds(45), seconds(300), seconds(5400), seconds(200_000)]).toEqual([
      "1.3\u00a0s",
      "45\u00a0s",
      "5\u00a0min",
      "1.5\u00a0h",
      "2.3\u00a0days",
    ]);
    expect([ago(null), ago(100, 102), ago(100, 160)]).toEqual(["never", "just now", "1\u00a0min ago"]);
  });
  it("tells shares", () => {
    expect([percent(0.237, 1), percent(1)]).toEqual(["23.7%", "100%"]);
  });
});
