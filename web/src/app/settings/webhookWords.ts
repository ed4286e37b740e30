import { ago, moment, seconds } from "../../ui/format";

export interface Webhook {
  id: number;
  url: string;
  kinds: string[];
  state: string;
  created_at: number;
}

export interface Delivery {
  id: number;
  message_id: string;
  kind: string;
  data: Record<string, unknown>;
  created_at: number;
  due_at: number | null;
  tries: number;
  answer: string | null;
  delivered_at: number | null;
}

export const KINDS: [kind: string, name: string][] = [
  ["item.decided", "An item is decided"],
  ["item.reopened", "An item is open again"],
  ["project.completed", "The project is done"],
  ["budget.low", "The money is nearly spent"],
];

export function kindWords(kind: string): string {
  return kind === "webhook.ping" ? "A test" : (KINDS.find(([one]) => one === kind)?.[1] ?? kind);
}

/** What became of a notice: it arrived, waits for its next try, or was given up. */
export function deliveryWords(one: Delivery, now: number): string {
  const tries = one.tries === 1 ? "one try" : `${one.tries} tries`;
  if (one.delivered_at !== null)
    return `Arrived ${ago(one.delivered_at, now)}${one.tries > 1 ? `, after ${tries}` : ""}`;
  if (one.due_at === null) return `Given up after ${tries}`;
  if (one.tries === 0) return "On its way";
  const wait = one.due_at - now;
  return `${one.tries === 1 ? "One try" : `${one.tries} tries`} failed; the next ${wait > 0 ? `in ${seconds(wait)}` : "now"}`;
}

export function deliveryTone(one: Delivery): "good" | "bad" | "open" {
  if (one.delivered_at !== null) return "good";
  return one.due_at === null || one.tries > 0 ? "bad" : "open";
}

export function aboutWords(one: Delivery): string {
  const { key, item, label } = one.data;
  const what = key ?? item;
  return [what === undefined ? "" : String(what), label ? String(label) : "", moment(one.created_at)]
    .filter(Boolean)
    .join(" · ");
}
