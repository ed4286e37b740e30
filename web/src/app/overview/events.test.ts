import { expect, it } from "vitest";
import type { LogEntry } from "../../api";
import { groupEntries } from "./events";

const entry = (id: number, kind: string, data: LogEntry["data"] = {}, actor = "ann"): LogEntry => ({
  id,
  at: id,
  actor,
  kind,
  data,
});

it("groups repeated entries", () => {
  const log = [
    entry(8, "item.sent_to_expert", { key: "0059.png" }),
    entry(7, "item.reopened", { key: "0058.png" }),
    entry(6, "item.reopened", { key: "0057.png" }),
    entry(5, "project.state", { from: "running", to: "done" }, "learner"),
    entry(4, "voter.created", { voter: "v2" }),
    entry(3, "voter.created", { voter: "v1" }),
    entry(2, "project.state", { from: "pilot", to: "running" }),
    entry(1, "project.state", { from: "draft", to: "pilot" }),
  ];
  expect(groupEntries(log).map((entry) => entry.text)).toEqual([
    "ann sent 0059.png to an expert",
    "ann reopened 2 items",
    "Quorate changed the state from running to done",
    "ann created links for 2 people",
    "ann changed the state from pilot to running",
    "ann changed the state from draft to pilot",
  ]);
});
