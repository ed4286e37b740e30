import type { ProjectSettings } from "../../api";
import { money, percent } from "../../ui/format";
import { POLICY_NAMES } from "../forms/policies";

/** A changed setting: its name and its values before and after. */
export interface Change {
  what: string;
  from: string;
  to: string;
}

type Leaf = string | number | boolean | null;

const NAMES: Record<string, string> = {
  name: "Project name",
  kind: "Task type",
  instructions: "Instructions",
  consent: "Informed consent",
  "consent.version": "Consent version",
  "consent.text": "Consent text",
  "consent.url": "Consent page",
  "costs.error": "Cost of a wrong label",
  "costs.matrix": "Error costs by answer",
  "costs.unclassifiable": "Cost of an item without a label",
  "prices.votes.crowd": "Price per worker vote",
  "prices.votes.expert": "Price per expert vote",
  "prices.machine": "Classifier price per item",
  "prices.platform_fee": "Panel fee",
  currency: "Currency",
  budget: "Budget",
  rest: "When the budget is used up",
  "policy.name": "Policy",
  "learner.name": "Classifier",
  "learner.url": "Model URL",
  "workers.practice": "Practice items",
  "workers.gold_share": "Gold checks among items",
  "workers.minimum_accuracy": "Minimum accuracy on gold",
  "workers.checks": "Gold checks before the minimum applies",
  "workers.maximum_votes": "Maximum votes per worker",
  "workers.batch": "Items per batch",
  "workers.lease_seconds": "Assignment time limit, seconds",
  "workers.amend_seconds": "Time to change a vote, seconds",
  votes_per_item: "Maximum votes per item",
  audit_share: "Audit share",
  "pilot.items": "Pilot items",
  "pilot.budget": "Pilot budget",
  endless: "Continuous project",
  "door.platform": "Panel name",
  "door.worker_parameter": "Worker ID parameter",
  "door.session_parameter": "Session ID parameter",
  "door.signed": "Require signed worker IDs",
  "door.completion_url": "Completion URL",
  "door.code_done": "Completion code",
  "door.code_failed": "Screen-out code",
  "door.code_no_work": "No-work code",
  "door.frames": "Sites allowed to embed the work page",
};
const SHARES = ["prices.platform_fee", "workers.gold_share", "workers.minimum_accuracy", "audit_share"];
const MONEY = /^(costs\.(error|unclassifiable)|prices\.(votes\..*|machine)|budget|pilot\.budget)$/;
const LIMITS = ["budget", "pilot.budget", "workers.maximum_votes"];
const MAX_CHARACTERS = 120; // of a text

/** Returns the differences between settings in words; both may be partial. */
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

/** Returns all values by path; a matrix or list of examples counts as one value. */
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

/** Returns a readable name for a path such as "questions.0.classes.1.definition". */
function settingName(path: string): string {
  if (NAMES[path]) return NAMES[path];
  const [, question, answer, part] = /^questions\.(\d+)(?:\.classes\.(\d+))?\.(\w+)$/.exec(path) ?? [];
  if (part && answer) return `Question ${Number(question) + 1}, answer ${Number(answer) + 1}: ${part}`;
  if (part) return `Question ${Number(question) + 1}: ${part}`;
  const option = /^policy\.options\.(\w+)$/.exec(path)?.[1];
  return option ? `Policy option: ${option.replace(/_/g, " ")}` : path.replace(/[._]/g, " ");
}

function formatValue(path: string, value: Leaf | undefined, currency: string): string {
  if (blank(value)) return LIMITS.includes(path) ? "no limit" : "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (path === "policy.name") return POLICY_NAMES[String(value)] ?? String(value);
  if (path === "rest")
    return value === "cheapest" ? "open items get the most probable label" : "open items stay undecided";
  if (typeof value !== "number") return shortened(String(value));
  if (SHARES.includes(path)) return percent(value, Number.isInteger(value * 100) ? 0 : 1);
  return MONEY.test(path) ? money(value, currency) : value.toLocaleString("en");
}

function shortened(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
