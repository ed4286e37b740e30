import type { LogEntry, ProjectState } from "../../api";
import { count } from "../../ui/format";

/** The actions of a requester; the first of `actions` is the recommended one. */
export type Action = "upload" | "invite" | "pilot" | "run" | "pause" | "estimate" | "close-pilot" | "end" | "export";

export interface Step {
  title: string;
  text: string;
  actions: Action[];
  /** Progress of a pilot: answers decided, out of all it needs. */
  done?: { n: number; of: number };
}

const FEW_VOTERS = 3; // with fewer, most items cannot get enough votes

/** Everything that the next step depends on. */
export interface ProjectStatus {
  state: ProjectState;
  items: number;
  open: number;
  /** Answers that are decided, and questions per item. */
  decided: number;
  questions: number;
  /** Answers for which votes are requested now. */
  asking: number;
  /** Answers that are assigned to nobody, by the kind of voter they wait for; and assigned answers. */
  waiting: { crowd: number; expert: number };
  leases: number;
  /** No votes arrived recently. */
  idle: boolean;
  voters: number;
  pilotItems: number;
  /** The whole budget is spent or reserved. */
  spentUp: boolean;
  /** New items may be added: the project does not end automatically. */
  endless: boolean;
  /** The state before a pause. */
  before: "pilot" | "running";
}

export function nextStep(at: ProjectStatus): Step {
  switch (at.state) {
    case "draft":
      return draft(at);
    case "pilot":
      return pilot(at);
    case "estimate":
      return {
        title: "Pilot complete",
        text: "View the estimated cost and time for the remaining items, then decide whether to continue.",
        actions: ["estimate", "run", "end", "export"],
      };
    case "running":
      return running(at);
    case "paused":
      return {
        title: at.before === "pilot" ? "Pilot paused" : "Paused",
        text: "No new items are assigned. Votes in progress are still accepted.",
        actions: at.before === "pilot" ? ["pilot", "run", "end", "export"] : ["run", "end", "export"],
      };
    case "done":
      return {
        title: "Done",
        text: at.open
          ? `The project ended with ${plural(at.open, "open answer")} without a label. Download the results or reopen the project.`
          : "All items are decided. Download the results.",
        actions: ["export", "run"],
      };
  }
}

function draft({ items, voters, pilotItems }: ProjectStatus): Step {
  if (items === 0)
    return {
      title: "Add items",
      text: "Upload a CSV, JSONL or Parquet file, or a zip archive of images. Nothing is spent before you start.",
      actions: ["upload"],
    };
  const start: Action[] = items > pilotItems ? ["pilot", "run"] : ["run"];
  if (voters === 0)
    return {
      title: "Invite workers",
      text: `${plural(items, "item")} ready. Create links for people you know, or connect a panel.`,
      actions: ["invite", ...start],
    };
  const piloted = `A pilot collects votes on ${count(pilotItems)} random items and estimates the cost of the rest before you pay for it.`;
  return {
    title: "Ready to start",
    text: items > pilotItems ? piloted : "When you start, items are assigned to workers and votes are paid.",
    actions: start,
  };
}

function pilot(at: ProjectStatus): Step {
  const { items, voters, pilotItems } = at;
  const few = lacksVoters(at);
  const intro = `${plural(Math.min(items, pilotItems), "item")}, selected at random, are voted on first. When they are decided, the cost of the rest is estimated.`;
  return voters === 0
    ? {
        title: "Pilot waiting for workers",
        text: `${intro} No workers yet: invite some.`,
        actions: ["invite", "pause"],
      }
    : {
        title: "Pilot running",
        text: few ? `${intro} ${MORE_VOTERS}` : [intro, waitsFor(at)].filter(Boolean).join(" "),
        actions: few ? ["invite", "pause", "close-pilot"] : ["pause", "invite", "close-pilot"],
        done: pilotDone(at),
      };
}

function pilotDone({ items, pilotItems, questions, decided }: ProjectStatus): { n: number; of: number } {
  const of = Math.min(items, pilotItems) * questions;
  return { n: Math.min(decided, of), of };
}

function running(at: ProjectStatus): Step {
  const { items, open, voters, spentUp, endless } = at;
  if (items === 0)
    return { title: "Waiting for items", text: "Add items here or through the API.", actions: ["upload", "pause"] };
  if (spentUp)
    return {
      title: "Budget used up",
      text: "The budget is spent or reserved, so no more votes are requested. Raise it in the settings or end the project.",
      actions: ["end", "pause", "export"],
    };
  if (voters === 0)
    return {
      title: "Waiting for workers",
      text: "No workers yet: invite some to collect votes.",
      actions: ["invite", "pause", "end"],
    };
  const waits = waitsFor(at);
  if (waits)
    return {
      title: needsExpert(at) ? "Waiting for an expert" : "Running",
      text: waits,
      actions: ["invite", "pause", "end", "export"],
    };
  return lacksVoters(at)
    ? { title: "Running", text: MORE_VOTERS, actions: ["invite", "pause", "end", "export"] }
    : { title: "Running", text: runningText(open, endless), actions: ["pause", "invite", "end", "export"] };
}

/** Returns whether all requested votes wait for an expert. */
function needsExpert({ waiting, leases }: ProjectStatus): boolean {
  return waiting.expert > 0 && waiting.crowd === 0 && leases === 0;
}

/** Returns what an active project waits for if it needs the requester to continue; otherwise null. */
export function waitsFor(at: ProjectStatus): string | null {
  const { waiting, leases, idle, questions } = at;
  const all = waiting.crowd + waiting.expert;
  if (leases > 0 || all === 0) return null;
  const waits = `${plural(all, questions > 1 ? "answer" : "item")} ${all === 1 ? "waits" : "wait"} for`;
  if (needsExpert(at)) return `${waits} an expert. Send an expert their link or invite one.`;
  return idle
    ? `${waits} a vote, and no votes arrived in the last ten minutes. Send workers their links or invite more.`
    : null;
}

const MORE_VOTERS = "Items need votes from several people: invite more workers.";

function lacksVoters({ asking, voters }: ProjectStatus): boolean {
  return asking > 0 && voters < FEW_VOTERS;
}

function runningText(open: number, endless: boolean): string {
  const intro = "Votes are requested where they are worth their price.";
  if (endless) return `${intro} New items can be added until you end the project.`;
  return open
    ? `${intro} The project ends automatically when all items are decided.`
    : "All items are decided. The project ends automatically after the last votes and audits.";
}

/** Returns the state before a pause. log: newest entry first. */
export function pausedFrom(log: LogEntry[] | null): "pilot" | "running" {
  const last = log?.find((entry) => entry.kind === "project.state" && entry.data.to === "paused");
  return last?.data.from === "pilot" ? "pilot" : "running";
}

export function plural(n: number, name: string, names = `${name}s`): string {
  return `${count(n)} ${n === 1 ? name : names}`;
}
