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

export function kindName(kind: string): string {
  return kind === "webhook.ping" ? "A test" : (KINDS.find(([name]) => name === kind)?.[1] ?? kind);
}

/** What became of a notice: it arrived, waits for its next try, or was given up. */
export function deliveryText(delivery: Delivery, now: number): string {
  const tries = delivery.tries === 1 ? "one try" : `${delivery.tries} tries`;
  if (delivery.delivered_at !== null)
    return `Arrived ${ago(delivery.delivered_at, now)}${delivery.tries > 1 ? `, after ${tries}` : ""}`;
  if (delivery.due_at === null) return `Given up after ${tries}`;
  if (delivery.tries === 0) return "On its way";
  const wait = delivery.due_at - now;
  return `${delivery.tries === 1 ? "One try" : `${delivery.tries} tries`} failed; the next ${wait > 0 ? `in ${seconds(wait)}` : "now"}`;
}

export function deliveryTone(delivery: Delivery): "good" | "bad" | "open" {
  if (delivery.delivered_at !== null) return "good";
  return delivery.due_at === null || delivery.tries > 0 ? "bad" : "open";
}

export function subjectText(delivery: Delivery): string {
  const { key, item, label } = delivery.data;
  const what = key ?? item;
  return [what === undefined ? "" : String(what), label ? String(label) : "", moment(delivery.created_at)]
    .filter(Boolean)
    .join(" · ");
}
