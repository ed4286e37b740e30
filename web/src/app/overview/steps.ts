import type { LogEntry, ProjectState } from "../../api";
import { count } from "../../ui/format";

/** What a project's owner can do now; the first of `actions` is the one to take. */
export type Action = "upload" | "invite" | "pilot" | "run" | "pause" | "estimate" | "close-pilot" | "end" | "export";

export interface Step {
  title: string;
  text: string;
  actions: Action[];
  /** How far a pilot has come: answers decided, of all that it asks for. */
  done?: { n: number; of: number };
}

const FEW_VOTERS = 3; // below it, most items cannot get the answers they need

/** What the next step depends on. */
export interface ProjectStatus {
  state: ProjectState;
  items: number;
  open: number;
  /** Answers that are decided, and questions of each item. */
  decided: number;
  questions: number;
  /** Answers that people are asked for at the moment. */
  asking: number;
  /** Of them, those that nobody has in hand, by whom they wait for; and how many somebody has. */
  waiting: { crowd: number; expert: number };
  leases: number;
  /** Nobody has voted lately. */
  idle: boolean;
  voters: number;
  pilotItems: number;
  /** All money is spent or promised. */
  spentUp: boolean;
  /** Items keep coming: it does not end by itself. */
  endless: boolean;
  /** What was interrupted by a pause. */
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
        title: "The pilot is over",
        text: "See what the rest will cost and how long it will take, then decide whether to go on.",
        actions: ["estimate", "run", "end", "export"],
      };
    case "running":
      return running(at);
    case "paused":
      return {
        title: at.before === "pilot" ? "The pilot is paused" : "Paused",
        text: "Nobody is asked. Votes that were under way are still taken.",
        actions: at.before === "pilot" ? ["pilot", "run", "end", "export"] : ["run", "end", "export"],
      };
    case "done":
      return {
        title: "Done",
        text: at.open
          ? `Ended with ${plural(at.open, "answer")} still open: they have no label. Take the results home, or open it again.`
          : "Everything is decided. Take the results home.",
        actions: ["export", "run"],
      };
  }
}

function draft({ items, voters, pilotItems }: ProjectStatus): Step {
  if (items === 0)
    return {
      title: "Add the items to classify",
      text: "A file will do: CSV, JSONL, Parquet, or a zip of images. Nothing is asked and nothing is spent before you start.",
      actions: ["upload"],
    };
  const start: Action[] = items > pilotItems ? ["pilot", "run"] : ["run"];
  if (voters === 0)
    return {
      title: "Invite people to vote",
      text: `${plural(items, "item")} ready, and nobody to vote on them yet. Make links for people you know, or let a panel send people.`,
      actions: ["invite", ...start],
    };
  const piloted = `A pilot asks about ${count(pilotItems)} items drawn by chance; then you see what the rest will cost before you pay for it.`;
  return {
    title: "Ready to start",
    text: items > pilotItems ? piloted : "From the start on, people are asked and votes are paid for.",
    actions: start,
  };
}

function pilot(at: ProjectStatus): Step {
  const { items, voters, pilotItems } = at;
  const few = lacksVoters(at);
  const intro = `${plural(Math.min(items, pilotItems), "item")}, drawn by chance, are asked about first. When they are decided, you see what the rest will cost.`;
  return voters === 0
    ? { title: "The pilot waits for people", text: `${intro} Nobody can vote yet.`, actions: ["invite", "pause"] }
    : {
        title: "The pilot is running",
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
    return { title: "Waiting for items", text: "Add some, or send them one by one.", actions: ["upload", "pause"] };
  if (spentUp)
    return {
      title: "The money is used up",
      text: "All of the budget is spent or promised, so nobody is asked any more. Raise it in the settings, or end here.",
      actions: ["end", "pause", "export"],
    };
  if (voters === 0)
    return { title: "Waiting for people", text: "Nobody can vote yet.", actions: ["invite", "pause", "end"] };
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

/** All that is asked waits for an expert. */
function needsExpert({ waiting, leases }: ProjectStatus): boolean {
  return waiting.expert > 0 && waiting.crowd === 0 && leases === 0;
}

/** What a project at work waits for, where nothing moves without its requester; else null. */
export function waitsFor(at: ProjectStatus): string | null {
  const { waiting, leases, idle, questions } = at;
  const all = waiting.crowd + waiting.expert;
  if (leases > 0 || all === 0) return null;
  const waits = `${plural(all, questions > 1 ? "answer" : "item")} ${all === 1 ? "waits" : "wait"} for`;
  if (needsExpert(at)) return `${waits} an expert: send an expert their link, or invite one.`;
  return idle
    ? `${waits} somebody: nobody has voted in the last ten minutes. Send people their links, or invite more.`
    : null;
}

const MORE_VOTERS = "Items need the answers of several people: invite more.";

function lacksVoters({ asking, voters }: ProjectStatus): boolean {
  return asking > 0 && voters < FEW_VOTERS;
}

function runningText(open: number, endless: boolean): string {
  const intro = "People are asked where a vote is worth its price.";
  if (endless) return `${intro} More items may come: it runs until you end it.`;
  return open
    ? `${intro} It ends by itself when nothing is left to ask.`
    : "All is decided; the last votes and looks of experts come in. It ends by itself.";
}

/** What a pause interrupted, by the log, newest entry first. */
export function pausedFrom(log: LogEntry[] | null): "pilot" | "running" {
  const last = log?.find((entry) => entry.kind === "project.state" && entry.data.to === "paused");
  return last?.data.from === "pilot" ? "pilot" : "running";
}

export function plural(n: number, name: string, names = `${name}s`): string {
  return `${count(n)} ${n === 1 ? name : names}`;
}
