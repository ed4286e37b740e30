import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../api";
import { actorOf, effectTexts, logChanges, logText, repeatedText } from "./log-text";

function entry(kind: string, data: Record<string, unknown>, actor = "ann"): LogEntry {
  return { id: 1, at: 0, actor, kind, data };
}

describe("the log", () => {
  it("says what happened", () => {
    expect(logText(entry("project.state", { from: "draft", to: "running" }))).toBe(
      "changed the state from draft to running",
    );
    expect(logText(entry("items.imported", { name: "a.csv", state: "done", added: 1200, bad: 2 }))).toBe(
      "uploaded a.csv: 1,200 items added, 2 rows not imported",
    );
    expect(logText(entry("budget.low", { spent: 8, budget: 10 }), "EUR")).toBe(
      "reported a low budget: 8\u00a0EUR of 10\u00a0EUR spent",
    );
  });

  it("says what somebody did with an item", () => {
    const data = { item: 4, key: "0059.png", question: "pet", label: "cat", from: "dog", status: "crowd" };
    const texts = ["relabelled", "reopened", "sent_to_expert"].map((what) => logText(entry(`item.${what}`, data)));
    expect(texts).toEqual(["relabelled 0059.png as cat", "reopened 0059.png", "sent 0059.png to an expert"]);
    expect([repeatedText("item.reopened", 3), repeatedText("project.state", 3)]).toEqual(["reopened 3 items", null]);
  });

  it("says what a change of settings did", () => {
    const data = {
      changed: ["budget"],
      from: { budget: null },
      to: { budget: 5 },
      reopened: 12,
      closed: 0,
      relabelled: 1,
    };
    const changed = entry("project.settings", data);
    expect(logText(changed)).toBe("changed the settings; items: 12 reopened, 1 relabelled");
    expect(logChanges(changed, "EUR")).toEqual([{ what: "Budget", from: "no limit", to: "5\u00a0EUR" }]);
    expect(effectTexts({ reopened: 0, closed: 0, relabelled: 0 })).toEqual([]);
  });

  it("does with what it does not know", () => {
    expect(logText(entry("item.sent_back", { key: "a1", more: {} }))).toBe("item sent back: key a1");
    expect(actorOf(entry("x", {}, "service"))).toBe("Quorate");
  });
});
