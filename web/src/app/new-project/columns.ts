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
export const SHOWN_COLUMNS: Record<ItemKind, [column: ColumnName, label: string][]> = {
  text: [["text", "Text column"]],
  pair: [
    ["text_a", "First text column"],
    ["text_b", "Second text column"],
  ],
  image: [["image", "Image URL column"]],
  audio: [["audio", "Audio URL column"]],
  html: [["html", "HTML column"]],
  features: [],
};

export const KIND_NAMES: Record<ItemKind, string> = {
  text: "Text",
  pair: "Text pair",
  image: "Image",
  audio: "Audio",
  html: "HTML",
  features: "Numeric features",
};

/** What was guessed; a column that a kind needs and nobody guessed is the first that nothing else uses. */
export function inferredColumns(looked: Looked): Columns {
  const columns = { ...NO_COLUMNS };
  for (const name of Object.keys(columns) as ColumnName[]) columns[name] = looked.columns[name] ?? null;
  return columns;
}

/** Columns for another kind of item: what was chosen stays, what is missing is filled with what is left. */
export function columnsFor(kind: ItemKind, columns: Columns, looked: Looked): Columns {
  const chosen: Columns = { ...NO_COLUMNS, key: columns.key };
  const free = looked.header.filter((column) => column.name !== columns.key && !looked.labels.includes(column.name));
  const words = free.filter((column) => !column.numbers).map((column) => column.name);
  for (const [name] of SHOWN_COLUMNS[kind]) {
    const taken = Object.values(chosen);
    chosen[name] = columns[name] ?? words.find((name) => !taken.includes(name)) ?? null;
  }
  return chosen;
}

/** Whether the files are in the archive themselves, so that no column has to be named. */
export function isArchive(looked: Looked): boolean {
  return looked.format === "zip" || looked.format === "urls";
}

/** What is still missing before the file can be read. */
export function missingColumn(kind: ItemKind, columns: Columns, looked: Looked): string | null {
  if (isArchive(looked)) return null;
  const column = SHOWN_COLUMNS[kind].find(([name]) => columns[name] === null);
  return column ? `Choose the ${column[1].charAt(0).toLowerCase()}${column[1].slice(1)}.` : null;
}

/** What is sent with the file. A column of labels that is not gold must not be read as a number to learn from. */
export function columnsToSend(
  kind: ItemKind,
  columns: Columns,
  looked: Looked,
  gold: Record<string, string>,
  labels: string | null,
): Record<string, unknown> {
  if (isArchive(looked)) return {};
  const sent: Record<string, unknown> = {};
  if (columns.key) sent.key = columns.key;
  for (const [name] of SHOWN_COLUMNS[kind]) if (columns[name]) sent[name] = columns[name];
  if (Object.keys(gold).length) sent.gold = gold;
  const kept = Object.values(gold);
  if (labels !== null && !kept.includes(labels)) {
    const used = [...Object.values(sent), ...kept, labels];
    const numbers = looked.header.filter(
      (column) => column.numbers && !used.includes(column.name) && !isName(column.name),
    );
    sent.features = numbers.map((column) => column.name);
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
