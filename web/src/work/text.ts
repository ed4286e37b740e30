/** Texts for voters that depend on data. */
import type { Lease, Question, Visit } from "../api/types";
import { count, money, seconds } from "../ui/format";
import type { View } from "./session/view";

const MAX_CHARACTERS = 200; // of an item, for screen readers

/** Returns the text of a question. */
export function questionText(question: Question): string {
  return question.text.trim() || (question.name === "label" ? "Which label fits?" : question.name);
}

/** Describes an item in one line, for screen readers and lists. */
export function describeItem({ item }: Lease, most = MAX_CHARACTERS): string {
  const { text, text_a, text_b } = item.content as Record<string, string | undefined>;
  const content = text ?? [text_a, text_b].filter(Boolean).join(" / ");
  if (!content) return `${{ image: "Image", audio: "Audio" }[item.kind as string] ?? "Item"} ${item.id}`;
  return content.length > most ? `${content.slice(0, most)}…` : content;
}

/** Formats money; without a currency, points. */
export function formatPay(amount: number, { currency }: Visit): string {
  return money(amount, currency || (amount === 1 ? "point" : "points"));
}

/** Describes what the voter has done so far. */
export function progressWords(visit: Visit, view: View): string[] {
  const most = visit.rules.maximum_votes;
  const answers = most === null ? plural(view.votes, "answer") : `${count(view.votes)} of ${plural(most, "answer")}`;
  const paid = view.earned > 0 ? `${formatPay(view.earned, visit)} earned` : "";
  return [answers, paid].filter(Boolean);
}

/** Describes what is left. Only a limited number of answers allows a time: the number of open items changes. */
export function remainingWords(visit: Visit, view: View): string {
  const { open, votes } = visit.progress;
  const now = open === null ? null : Math.max(0, open - (view.votes - votes));
  const most = visit.rules.maximum_votes;
  const allowed = most === null ? null : Math.max(0, most - view.votes);
  if (allowed === null || (now !== null && now < allowed)) return now ? `${count(now)} left` : "";
  return allowed && view.seconds !== null ? timeLeft(allowed * view.seconds) : "";
}

function timeLeft(time: number): string {
  return time < 60 ? "less than 1 min left" : `about ${seconds(time)} left`;
}

export function plural(n: number, word: string): string {
  return `${count(n)} ${word}${n === 1 ? "" : "s"}`;
}

/** Returns the name of a key as printed on a keyboard. */
export function keyName(key: string): string {
  return { backspace: "Backspace", " ": "Space" }[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
