import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../api";
import { nextStep, type ProjectStatus, pausedFrom, waitsFor } from "./steps";

const at: ProjectStatus = {
  state: "draft",
  items: 500,
  open: 500,
  decided: 0,
  questions: 1,
  asking: 4,
  waiting: { crowd: 4, expert: 2 },
  leases: 0,
  idle: false,
  voters: 3,
  pilotItems: 100,
  spentUp: false,
  endless: false,
  before: "running",
};
const first = (other: Partial<ProjectStatus>) => nextStep({ ...at, ...other }).actions[0];
const event = (from: string, to: string): LogEntry => ({
  id: 1,
  at: 0,
  actor: "",
  kind: "project.state",
  data: { from, to },
});

describe("what to do next", () => {
  it("leads a draft from items to people to the pilot", () => {
    expect([first({ items: 0 }), first({ voters: 0 }), first({})]).toEqual(["upload", "invite", "pilot"]);
  });
  it("offers no pilot on a pool that is no larger than it", () => {
    expect(nextStep({ ...at, items: 80 }).actions).not.toContain("pilot");
  });
  it("says who is missing once it runs", () => {
    expect([first({ state: "pilot", voters: 0 }), first({ state: "running", voters: 0 })]).toEqual([
      "invite",
      "invite",
    ]);
    expect(first({ state: "running" })).toBe("pause");
  });
  it("asks for more people where there are too few to answer", () => {
    for (const state of ["pilot", "running"] as const) {
      const { text, actions } = nextStep({ ...at, state, voters: 2 });
      expect([text, actions[0]]).toEqual([expect.stringContaining("invite more"), "invite"]);
      expect(first({ state, voters: 2, asking: 0 })).toBe("pause");
    }
  });
  it("says what it waits for where nothing moves", () => {
    const waiting = { crowd: 0, expert: 12 };
    const { title, text, actions } = nextStep({ ...at, state: "running", waiting });
    expect([title, actions[0]]).toEqual(["Waiting for an expert", "invite"]);
    expect(text).toBe("12 items wait for an expert. Send an expert their link or invite one.");
    expect(nextStep({ ...at, state: "pilot", waiting }).text).toContain("12 items wait for an expert");
    expect(waitsFor({ ...at, waiting, leases: 1 })).toBeNull();
    expect([waitsFor(at), waitsFor({ ...at, idle: true, questions: 2 })]).toEqual([
      null,
      expect.stringContaining("6 answers wait for a vote"),
    ]);
  });
  it("shows the progress of a pilot over all its questions", () => {
    expect(nextStep({ ...at, state: "pilot", decided: 40, questions: 3 }).done).toEqual({ n: 40, of: 300 });
    expect(nextStep({ ...at, state: "pilot", items: 20, decided: 40 }).done).toEqual({ n: 20, of: 20 });
  });
  it("reports when the budget is used up", () => {
    expect(nextStep({ ...at, state: "running", spentUp: true }).title).toBe("Budget used up");
  });
  it("does not promise an end where items keep coming", () => {
    expect(nextStep({ ...at, state: "running" }).text).toContain("ends automatically");
    expect(nextStep({ ...at, state: "running", endless: true }).text).toContain("until you end the project");
  });
  it("goes on with what was paused", () => {
    expect(first({ state: "paused", before: "pilot" })).toBe("pilot");
    expect(first({ state: "paused" })).toBe("run");
    expect(pausedFrom([event("pilot", "paused"), event("draft", "pilot")])).toBe("pilot");
    expect(pausedFrom(null)).toBe("running");
  });
  it("shows the estimate, then the results", () => {
    expect([first({ state: "estimate" }), first({ state: "done" })]).toEqual(["estimate", "export"]);
    expect(nextStep({ ...at, state: "done", open: 1 }).text).toContain("1 open answer");
  });
});
