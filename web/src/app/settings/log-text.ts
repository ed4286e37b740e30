import type { LogEntry, ProjectSettings } from "../../api";
import { count, money } from "../../ui/format";
import { STATE_NAMES } from "../../ui/statuses";
import { type Change, changesOf } from "./changes";

type Data = Record<string, unknown>;

/** What happened, as a sentence without its subject. */
const TEXTS: Record<string, (data: Data, currency: string) => string> = {
  "project.created": () => "created the project",
  "project.state": (data) => `changed the state from ${stateOf(data.from)} to ${stateOf(data.to)}`,
  "project.settings": (data) => `changed the settings${effectOf(data)}`,
  "items.imported": (data) =>
    data.state === "failed"
      ? `uploaded ${data.name}, which could not be read`
      : `uploaded ${data.name}: ${count(Number(data.added))} items added${data.bad ? `, ${count(Number(data.bad))} rows not imported` : ""}`,
  "item.relabelled": (data) => `relabelled ${data.key} as ${data.label}`,
  "item.reopened": (data) => `reopened ${data.key}`,
  "item.sent_to_expert": (data) => `sent ${data.key} to an expert`,
  "voter.created": (data) => `created a link for ${data.kind === "expert" ? "an expert" : "a worker"}, ${data.voter}`,
  "voter.state": (data) => `changed ${data.voter} to ${data.to ?? data.state}`,
  "voter.failed": (data) => `excluded ${data.voter ?? "a worker"} after failed gold checks`,
  "voter.passed": (data) => `readmitted ${data.voter ?? "a worker"}`,
  "webhook.added": (data) => `added a webhook to ${data.url}`,
  "webhook.off": (data) => `turned webhook ${data.webhook} off${data.why ? `: ${data.why}` : ""}`,
  "webhook.active": (data) => `turned webhook ${data.webhook} on`,
  "webhook.deleted": (data) => `deleted webhook ${data.webhook}`,
  "member.added": (data) => `added account ${data.account} as ${data.role}`,
  "member.removed": (data) => `removed account ${data.account}`,
  "token.created": (data) => `created the token “${data.name}”`,
  "pay.exported": () => "exported payments with the worker IDs of the panel",
  "budget.low": (data, currency) =>
    `reported a low budget: ${money(Number(data.spent), currency)} of ${money(Number(data.budget), currency)} spent`,
};

/** The same for repeated entries; kinds that are missing here are not grouped. */
const REPEATED_TEXTS: Record<string, (n: string) => string> = {
  "item.relabelled": (n) => `relabelled ${n} items`,
  "item.reopened": (n) => `reopened ${n} items`,
  "item.sent_to_expert": (n) => `sent ${n} items to an expert`,
  "voter.created": (n) => `created links for ${n} people`,
  "voter.passed": (n) => `readmitted ${n} workers`,
  "voter.failed": (n) => `excluded ${n} workers after failed gold checks`,
  "items.imported": (n) => `uploaded ${n} files`,
};

/** Describes n entries of a kind; null if the kind is not grouped. */
export function repeatedText(kind: string, n: number): string | null {
  return REPEATED_TEXTS[kind]?.(count(n)) ?? null;
}

export function logText({ kind, data }: LogEntry, currency = ""): string {
  return TEXTS[kind]?.(data, currency) ?? fallbackText(kind, data);
}

export function actorOf({ actor }: LogEntry): string {
  return ["service", "learner"].includes(actor) ? "Quorate" : actor;
}

/** Returns the changes of a log entry about settings. */
export function logChanges({ kind, data }: LogEntry, currency = ""): Change[] {
  if (kind !== "project.settings") return [];
  const [from, to] = [data.from, data.to] as Partial<ProjectSettings>[];
  return changesOf(from ?? {}, to ?? {}, currency);
}

/** Returns effects such as "12 reopened"; empty if nothing changes. */
export function effectTexts(effect: { reopened: number; closed: number; relabelled: number }): string[] {
  const counts: [number, string][] = [
    [effect.reopened, "reopened"],
    [effect.closed, "closed"],
    [effect.relabelled, "relabelled"],
  ];
  return counts.filter(([n]) => n > 0).map(([n, what]) => `${count(n)} ${what}`);
}

function effectOf(data: Data): string {
  const [reopened, closed, relabelled] = [data.reopened, data.closed, data.relabelled].map((n) => Number(n ?? 0));
  const words = effectTexts({ reopened: reopened ?? 0, closed: closed ?? 0, relabelled: relabelled ?? 0 });
  return words.length ? `; items: ${words.join(", ")}` : "";
}

function stateOf(state: unknown): string {
  return (STATE_NAMES[String(state)] ?? String(state)).toLowerCase();
}

/** Describes an unknown kind by its plain data. */
function fallbackText(kind: string, data: Data): string {
  const facts = Object.entries(data)
    .filter(([, value]) => typeof value !== "object")
    .map(([name, value]) => `${name.replace(/_/g, " ")} ${value}`);
  const what = kind.replace(/[._]/g, " ");
  return facts.length ? `${what}: ${facts.join(", ")}` : what;
}
