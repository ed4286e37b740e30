import type { Statuses } from "../../api";
import { OPEN_STATUSES } from "../../ui/statuses";

/** The items to list. All of it is part of the address, so that the browser's back button restores it. */
export interface ItemQuery {
  filter: string;
  question: string;
  search: string;
  /** The first row to show. */
  at: number;
}

export const FILTERS: [name: string, words: string, description: string][] = [
  ["all", "All", "All items, in the order they were added."],
  ["open", "Open", "Items that are not decided yet."],
  ["machine", "Classifier", "Decided by the classifier without votes."],
  ["crowd", "Crowd", "Decided with crowd votes."],
  ["expert", "Expert", "Decided by an expert or by a gold label."],
  ["undecided", "Undecided", "Left undecided: another vote would cost more than it saves."],
  ["unclassifiable", "Unclassifiable", "No class fits well enough."],
  ["excluded", "Skipped", "Skipped because the item was already decided by another criterion."],
  ["ambiguous", "Ambiguous", "Items on which votes and classifier disagree. More votes may have resolved them since."],
  ["disputed", "Disputed", "Items with conflicting votes."],
  ["overruled", "Audit errors", "Items whose label an expert corrected in the audit."],
];

const RARE = ["unclassifiable", "excluded"];

export function parseQuery(query: URLSearchParams, questions: string[]): ItemQuery {
  const filter = query.get("filter") ?? "all";
  const question = query.get("question") ?? "";
  return {
    filter: FILTERS.some(([name]) => name === filter) ? filter : "all",
    question: questions.includes(question) ? question : (questions[0] ?? ""),
    search: query.get("search") ?? "",
    at: Math.max(0, Math.floor(Number(query.get("at")) || 0)),
  };
}

/** Formats the query part of an address; the first question is omitted. */
export function formatQuery({ filter, question, search, at }: ItemQuery, first: string): string {
  const query = new URLSearchParams();
  if (filter !== "all") query.set("filter", filter);
  if (question !== first) query.set("question", question);
  if (search) query.set("search", search);
  if (at) query.set("at", String(at));
  const text = query.toString();
  return text ? `?${text}` : "";
}

/** Returns the address of an item with its position in the list, from which its neighbours are found. */
export function itemAddress(project: number, item: number, asked: ItemQuery, first: string): string {
  const query = new URLSearchParams(formatQuery(asked, first));
  query.set("at", String(asked.at));
  return `/projects/${project}/items/${item}?${query}`;
}

/** Returns the number of items of a filter, if the overview counts it. */
export function filterCount(filter: string, statuses: Statuses | undefined): number | null {
  if (!statuses) return null;
  if (filter === "all") return Object.values(statuses).reduce((sum, n) => sum + n, 0);
  if (filter === "open") return OPEN_STATUSES.reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
  return FILTERS.findIndex(([name]) => name === filter) < 8 ? (statuses[filter] ?? 0) : null;
}

/** Returns the filters to offer; rare ones only if they match items. */
export function visibleFilters(statuses: Statuses | undefined, chosen: string): typeof FILTERS {
  return FILTERS.filter(([name]) => !RARE.includes(name) || name === chosen || (statuses?.[name] ?? 0) > 0);
}
