import type { Statuses } from "../../api";
import { OPEN_STATUSES, STATUS_TONES } from "../../ui/statuses";

/** A part of all tasks, in drawing order. */
export interface DecidedPart {
  status: string;
  name: string;
  tone: string;
  n: number;
}

const GROUPS: [status: string, name: string, statuses: readonly string[]][] = [
  ["machine", "Decided by classifier", ["machine"]],
  ["crowd", "Decided by crowd", ["crowd"]],
  ["expert", "Decided by expert or gold label", ["expert"]],
  ["excluded", "Skipped (item already decided)", ["excluded"]],
  ["unclassifiable", "Unclassifiable", ["unclassifiable"]],
  ["undecided", "Undecided", ["undecided"]],
  ["open", "Open", OPEN_STATUSES],
];
const ALWAYS = ["machine", "crowd", "expert", "open"];

export function statusParts(statuses: Statuses): DecidedPart[] {
  const parts = GROUPS.map(([status, name, grouped]) => ({
    status,
    name,
    tone: STATUS_TONES[status] ?? "var(--open)",
    n: grouped.reduce((sum, status) => sum + (statuses[status] ?? 0), 0),
  }));
  return parts.filter((part) => part.n > 0 || ALWAYS.includes(part.status));
}

export function totalCount(statuses: Statuses): number {
  return Object.values(statuses).reduce((sum, n) => sum + n, 0);
}

export function openCount(statuses: Statuses): number {
  return OPEN_STATUSES.reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
}

/** Sums the counts of all questions. */
export function sumStatuses(tasks: Record<string, Statuses>): Statuses {
  const sums: Statuses = {};
  for (const statuses of Object.values(tasks))
    for (const [status, n] of Object.entries(statuses)) sums[status] = (sums[status] ?? 0) + n;
  return sums;
}

/** Returns the number of items: every item has one task per question. */
export function itemCount(tasks: Record<string, Statuses>): number {
  return Math.max(0, ...Object.values(tasks).map(totalCount));
}
