import type { Delivery } from "../../api";
import { ago, moment, seconds } from "../../ui/format";

export const KINDS: [kind: string, name: string][] = [
  ["item.decided", "Item decided"],
  ["item.reopened", "Item reopened"],
  ["project.completed", "Project done"],
  ["budget.low", "Budget low"],
];

export function kindName(kind: string): string {
  return kind === "webhook.ping" ? "Test event" : (KINDS.find(([name]) => name === kind)?.[1] ?? kind);
}

/** Describes the outcome of a delivery: delivered, waiting for the next attempt, or failed. */
export function deliveryText(delivery: Delivery, now: number): string {
  const tries = delivery.tries === 1 ? "1 attempt" : `${delivery.tries} attempts`;
  if (delivery.delivered_at !== null)
    return `Delivered ${ago(delivery.delivered_at, now)}${delivery.tries > 1 ? `, after ${tries}` : ""}`;
  if (delivery.due_at === null) return `Failed after ${tries}`;
  if (delivery.tries === 0) return "Pending";
  const wait = delivery.due_at - now;
  return `${tries} failed; next ${wait > 0 ? `in ${seconds(wait)}` : "now"}`;
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
