import type { Worker } from "../../api";

const COLUMNS = ["code", "state", "votes", "accuracy", "skill", "seconds", "spam", "due", "seen_at"] as const;
export type Column = (typeof COLUMNS)[number];

export interface Order {
  by: Column;
  down: boolean;
}

const FIRST_UP: Column[] = ["code", "state", "seconds"];

/** "spam" or "-spam", as it stands in the address; without it, those with the most votes come first. */
export function parseOrder(text: string | null): Order {
  const by = (text ?? "").replace(/^-/, "") as Column;
  return COLUMNS.includes(by) ? { by, down: Boolean(text?.startsWith("-")) } : { by: "votes", down: true };
}

export function formatOrder({ by, down }: Order): string {
  return down ? `-${by}` : by;
}

/** The order when a column's name is pressed: what is most telling first, then the other way round. */
export function nextOrder(now: Order, by: Column): Order {
  return now.by === by ? { by, down: !now.down } : { by, down: !FIRST_UP.includes(by) };
}

/** Workers in order; those of whom it is not known come last, either way. */
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
