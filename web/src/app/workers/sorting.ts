import type { Worker } from "../../api";

const COLUMNS = ["code", "state", "votes", "accuracy", "skill", "seconds", "spam", "due", "seen_at"] as const;
export type Column = (typeof COLUMNS)[number];

export interface Order {
  by: Column;
  down: boolean;
}

const FIRST_UP: Column[] = ["code", "state", "seconds"];

/** Parses "spam" or "-spam" from the address; by default, workers with the most votes come first. */
export function parseOrder(text: string | null): Order {
  const by = (text ?? "").replace(/^-/, "") as Column;
  return COLUMNS.includes(by) ? { by, down: Boolean(text?.startsWith("-")) } : { by: "votes", down: true };
}

export function formatOrder({ by, down }: Order): string {
  return down ? `-${by}` : by;
}

/** Returns the order after a click on a column: its natural direction first, then the reverse. */
export function nextOrder(now: Order, by: Column): Order {
  return now.by === by ? { by, down: !now.down } : { by, down: !FIRST_UP.includes(by) };
}

/** Sorts workers; missing values come last in either direction. */
export function sortWorkers(workers: Worker[], { by, down }: Order): Worker[] {
  return [...workers].sort((worker, other) => {
    const [left, right] = [sortValue(worker, by), sortValue(other, by)];
    if (left === null || right === null) return Number(left === null) - Number(right === null) || worker.id - other.id;
    const order = typeof left === "string" ? left.localeCompare(String(right)) : left - Number(right);
    return (down ? -order : order) || worker.id - other.id;
  });
}

function sortValue(worker: Worker, by: Column): string | number | null {
  return by === "skill" ? (worker.skill?.value ?? null) : worker[by];
}
