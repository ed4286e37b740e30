import type { ItemKind, Looked, ShownItem } from "../../api";

/** Which column holds what. features: null = all columns of numbers that nothing else uses. */
export interface Columns {
  key: string | null;
  text: string | null;
  text_a: string | null;
  text_b: string | null;
  image: string | null;
  audio: string | null;
  html: string | null;
}

export type ColumnName = keyof Columns;

export const NO_COLUMNS: Columns = {
  key: null,
  text: null,
  text_a: null,
  text_b: null,
  image: null,
  audio: null,
  html: null,
};

/** What is shown of each kind of item, by its columns, and what those are called. */
export const SHOWN: Record<ItemKind, [column: ColumnName, label: string][]> = {
  text: [["text", "The text is in"]],
  pair: [
    ["text_a", "The first text is in"],
    ["text_b", "The second text is in"],
  ],
  image: [["image", "The image's address is in"]],
  audio: [["audio", "The sound's address is in"]],
  html: [["html", "The HTML is in"]],
  features: [],
};

export const KIND_WORDS: Record<ItemKind, string> = {
  text: "A text",
  pair: "Two texts",
  image: "An image",
  audio: "A sound",
  html: "A piece of HTML",
  features: "Numbers",
};

/** What was guessed; a column that a kind needs and nobody guessed is the first that nothing else uses. */
export function columnsOf(looked: Looked): Columns {
  const found = { ...NO_COLUMNS };
  for (const name of Object.keys(found) as ColumnName[]) found[name] = looked.columns[name] ?? null;
  return found;
}

/** Columns for another kind of item: what was chosen stays, what is missing is filled with what is left. */
export function columnsFor(kind: ItemKind, columns: Columns, looked: Looked): Columns {
  const chosen: Columns = { ...NO_COLUMNS, key: columns.key };
  const free = looked.header.filter((one) => one.name !== columns.key && !looked.labels.includes(one.name));
  const words = free.filter((one) => !one.numbers).map((one) => one.name);
  for (const [name] of SHOWN[kind]) {
    const taken = Object.values(chosen);
    chosen[name] = columns[name] ?? words.find((one) => !taken.includes(one)) ?? null;
  }
  return chosen;
}

/** Whether the files are in the archive themselves, so that no column has to be named. */
export function isArchive(looked: Looked): boolean {
  return looked.format === "zip" || looked.format === "urls";
}

/** What is still missing before the file can be read. */
export function missing(kind: ItemKind, columns: Columns, looked: Looked): string | null {
  if (isArchive(looked)) return null;
  const lacking = SHOWN[kind].find(([name]) => columns[name] === null);
  return lacking ? `Choose a column: ${lacking[1][0]?.toLowerCase()}${lacking[1].slice(1)} which?` : null;
}

/** What is sent with the file. A column of labels that is not gold must not be read as a number to learn from. */
export function columnsSent(
  kind: ItemKind,
  columns: Columns,
  looked: Looked,
  gold: Record<string, string>,
  labels: string | null,
): Record<string, unknown> {
  if (isArchive(looked)) return {};
  const sent: Record<string, unknown> = {};
  if (columns.key) sent.key = columns.key;
  for (const [name] of SHOWN[kind]) if (columns[name]) sent[name] = columns[name];
  if (Object.keys(gold).length) sent.gold = gold;
  const kept = Object.values(gold);
  if (labels !== null && !kept.includes(labels)) {
    const used = [...Object.values(sent), ...kept, labels];
    const numbers = looked.header.filter((one) => one.numbers && !used.includes(one.name) && !isName(one.name));
    sent.features = numbers.map((one) => one.name);
  }
  return sent;
}

const NAMES = ["key", "id", "task", "item", "item_id", "task_id", "uuid"];

function isName(column: string): boolean {
  return NAMES.includes(column.trim().toLowerCase());
}

/** A row of the file as an item, as a worker would see it. */
export function itemOf(
  kind: ItemKind,
  columns: Columns,
  row: Record<string, unknown>,
  labels: string | null = null,
): ShownItem {
  const { [labels ?? ""]: _, ...rest } = row;
  return { kind, content: contentOf(kind, columns, rest) };
}

function contentOf(kind: ItemKind, columns: Columns, row: Record<string, unknown>): Record<string, unknown> {
  const cell = (name: ColumnName) => String((columns[name] ? row[columns[name]] : row[name]) ?? "");
  switch (kind) {
    case "pair":
      return { text_a: cell("text_a"), text_b: cell("text_b") };
    case "image":
    case "audio":
      return { url: cell(kind) };
    case "html":
      return { html: cell("html") };
    case "features":
      return { features: numbersIn(row, columns.key) };
    default:
      return { text: cell("text") };
  }
}

function numbersIn(row: Record<string, unknown>, key: string | null): Record<string, number> {
  const cells = Object.entries(row).filter(([name, value]) => name !== key && value !== null && value !== "");
  return Object.fromEntries(
    cells.map(([name, value]) => [name, Number(value)] as const).filter(([, n]) => !Number.isNaN(n)),
  );
}
