import type { ProjectSettings } from "../../api";
import { money, percent } from "../../ui/format";
import { POLICY_NAMES } from "../forms/policies";

/** One thing that is otherwise: what, before, after. */
export interface Change {
  what: string;
  from: string;
  to: string;
}

type Leaf = string | number | boolean | null;

const NAMES: Record<string, string> = {
  name: "Name of the project",
  kind: "Kind",
  instructions: "Instructions",
  consent: "Informed consent",
  "consent.version": "Version of the consent",
  "consent.text": "What workers agree to",
  "consent.url": "Page with the consent",
  "costs.error": "What a wrong label costs",
  "costs.matrix": "What errors cost, by answer",
  "costs.unclassifiable": "What it costs to give no label",
  "prices.votes.crowd": "Price of a worker's vote",
  "prices.votes.expert": "Price of an expert's vote",
  "prices.machine": "Price of the machine per item",
  "prices.platform_fee": "Fee of the panel",
  currency: "Currency",
  budget: "Budget",
  rest: "When the money ends",
  "policy.name": "When to ask, and when to stop",
  "learner.name": "Machine that learns",
  "learner.url": "Address of the model",
  "workers.practice": "Practice items",
  "workers.gold_share": "Checks among the work",
  "workers.minimum_accuracy": "Must be right in checks",
  "workers.checks": "Checks before that counts",
  "workers.maximum_votes": "Votes of one worker, at most",
  "workers.batch": "Items in hand at once",
  "workers.lease_seconds": "Seconds an item stays in hand",
  "workers.amend_seconds": "Seconds a vote can be changed",
  votes_per_item: "Votes on one item, at most",
  audit_share: "Decided items looked at again",
  "pilot.items": "Items in the pilot",
  "pilot.budget": "Budget of the pilot",
  endless: "Items keep coming",
  "door.platform": "Name of the panel",
  "door.worker_parameter": "Parameter with the worker's number",
  "door.session_parameter": "Parameter with the number of the visit",
  "door.signed": "Numbers must be signed",
  "door.completion_url": "Where people go back to",
  "door.code_done": "Code of who is through",
  "door.code_failed": "Code of who failed checks",
  "door.code_no_work": "Code where there was no work",
  "door.frames": "Sites that may show the work in a frame",
};
const SHARES = ["prices.platform_fee", "workers.gold_share", "workers.minimum_accuracy", "audit_share"];
const MONEY = /^(costs\.(error|unclassifiable)|prices\.(votes\..*|machine)|budget|pilot\.budget)$/;
const LIMITS = ["budget", "pilot.budget", "workers.maximum_votes"];
const LONGEST = 120; // characters of a text that are shown

/** What differs between settings, in words; both may be parts of settings only. */
export function changesOf(before: Partial<ProjectSettings>, after: Partial<ProjectSettings>, currency = ""): Change[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])];
  return paths
    .filter((path) => old.get(path) !== now.get(path) && !(blank(old.get(path)) && blank(now.get(path))))
    .map((path) => ({
      what: settingName(path),
      from: formatValue(path, old.get(path), before.currency ?? currency),
      to: formatValue(path, now.get(path), after.currency ?? currency),
    }));
}

function blank(value: Leaf | undefined): boolean {
  return value === undefined || value === null || value === "";
}

/** All that is set, by its path; a matrix and a list of examples count as one. */
function leavesOf(value: unknown, path = ""): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  if (path === "costs.matrix") return value ? leaves.set(path, (value as number[][]).map(rowOf).join(" / ")) : leaves;
  if (Array.isArray(value) && (path.endsWith(".examples") || path === "door.frames"))
    return leaves.set(path, value.join(" · "));
  if (value === null || typeof value !== "object") return leaves.set(path, (value ?? null) as Leaf);
  for (const [name, part] of Object.entries(value))
    for (const [inner, leaf] of leavesOf(part, path ? `${path}.${name}` : name)) leaves.set(inner, leaf);
  return leaves;
}

function rowOf(row: number[]): string {
  return row.map((cost) => money(cost)).join(", ");
}

/** "questions.0.classes.1.definition" is nobody's word for it. */
function settingName(path: string): string {
  if (NAMES[path]) return NAMES[path];
  const [, question, answer, part] = /^questions\.(\d+)(?:\.classes\.(\d+))?\.(\w+)$/.exec(path) ?? [];
  if (part && answer) return `Question ${Number(question) + 1}, answer ${Number(answer) + 1}: ${part}`;
  if (part) return `Question ${Number(question) + 1}: ${part}`;
  const option = /^policy\.options\.(\w+)$/.exec(path)?.[1];
  return option ? `Option of the policy: ${option.replace(/_/g, " ")}` : path.replace(/[._]/g, " ");
}

function formatValue(path: string, value: Leaf | undefined, currency: string): string {
  if (blank(value)) return LIMITS.includes(path) ? "no limit" : "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (path === "policy.name") return POLICY_NAMES[String(value)] ?? String(value);
  if (path === "rest")
    return value === "cheapest" ? "open items take the best label so far" : "open items stay undecided";
  if (typeof value !== "number") return shortened(String(value));
  if (SHARES.includes(path)) return percent(value, Number.isInteger(value * 100) ? 0 : 1);
  return MONEY.test(path) ? money(value, currency) : value.toLocaleString("en");
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
