import type { LogEntry, ProjectSettings } from "../../api";
import { count, money } from "../../ui/format";
import { STATE_NAMES } from "../../ui/statuses";
import { type Change, changesOf } from "./changes";

type Data = Record<string, unknown>;

/** What happened, in a sentence without its subject. */
const TEXTS: Record<string, (data: Data, currency: string) => string> = {
  "project.created": () => "made the project",
  "project.state": (data) => `moved it from ${stateOf(data.from)} to ${stateOf(data.to)}`,
  "project.settings": (data) => `changed the settings${effectOf(data)}`,
  "items.imported": (data) =>
    data.state === "failed"
      ? `sent ${data.name}, which could not be read`
      : `sent ${data.name}: ${count(Number(data.added))} items are in${data.bad ? `, ${count(Number(data.bad))} rows were left out` : ""}`,
  "item.relabelled": (data) => `labelled ${data.key} as ${data.label}`,
  "item.reopened": (data) => `opened ${data.key} again`,
  "item.sent_to_expert": (data) => `sent ${data.key} to an expert`,
  "voter.created": (data) => `made a link for ${data.kind === "expert" ? "an expert" : "a worker"}, ${data.voter}`,
  "voter.state": (data) => `set ${data.voter} to ${data.to ?? data.state}`,
  "voter.failed": (data) => `asked ${data.voter ?? "a worker"} no more: too many checks were wrong`,
  "voter.passed": (data) => `let ${data.voter ?? "a worker"} in again`,
  "webhook.added": (data) => `added a webhook to ${data.url}`,
  "webhook.off": (data) => `turned webhook ${data.webhook} off${data.why ? `: ${data.why}` : ""}`,
  "webhook.active": (data) => `turned webhook ${data.webhook} on`,
  "webhook.deleted": (data) => `deleted webhook ${data.webhook}`,
  "member.added": (data) => `made account ${data.account} a member, as ${data.role}`,
  "member.removed": (data) => `took account ${data.account} out`,
  "token.created": (data) => `made the token “${data.name}”`,
  "pay.exported": () => "exported what workers are due, with the panel's numbers",
  "budget.low": (data, currency) =>
    `noticed that ${money(Number(data.spent), currency)} of ${money(Number(data.budget), currency)} are spent`,
};

/** The same for what was done so many times in a row; what is not here is told one by one. */
const REPEATED_TEXTS: Record<string, (n: string) => string> = {
  "item.relabelled": (n) => `labelled ${n} items`,
  "item.reopened": (n) => `opened ${n} items again`,
  "item.sent_to_expert": (n) => `sent ${n} items to an expert`,
  "voter.created": (n) => `made links for ${n} people`,
  "voter.passed": (n) => `let ${n} workers in again`,
  "voter.failed": (n) => `asked ${n} workers no more: too many checks were wrong`,
  "items.imported": (n) => `sent ${n} files of items`,
};

/** What was done so many times; null where nobody says it together. */
export function repeatedText(kind: string, n: number): string | null {
  return REPEATED_TEXTS[kind]?.(count(n)) ?? null;
}

export function logText({ kind, data }: LogEntry, currency = ""): string {
  return TEXTS[kind]?.(data, currency) ?? fallbackText(kind, data);
}

export function actorOf({ actor }: LogEntry): string {
  return ["service", "learner"].includes(actor) ? "Quorate" : actor;
}

/** Of a change of settings: what was changed. */
export function logChanges({ kind, data }: LogEntry, currency = ""): Change[] {
  if (kind !== "project.settings") return [];
  const [from, to] = [data.from, data.to] as Partial<ProjectSettings>[];
  return changesOf(from ?? {}, to ?? {}, currency);
}

/** "12 would be re-opened", or in the log "12 re-opened"; empty where nothing happens. */
export function effectTexts(effect: { reopened: number; closed: number; relabelled: number }): string[] {
  const counts: [number, string][] = [
    [effect.reopened, "re-opened"],
    [effect.closed, "closed"],
    [effect.relabelled, "labelled otherwise"],
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

/** What nobody has words for yet: "item.merged" with its plain facts. */
function fallbackText(kind: string, data: Data): string {
  const facts = Object.entries(data)
    .filter(([, value]) => typeof value !== "object")
    .map(([name, value]) => `${name.replace(/_/g, " ")} ${value}`);
  const what = kind.replace(/[._]/g, " ");
  return facts.length ? `${what}: ${facts.join(", ")}` : what;
}
