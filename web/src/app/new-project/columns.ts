import type { FilePreview, ItemKind, ShownItem } from "../../api";

/** The column of each part of an item. Items of numbers use all numeric columns that nothing else uses. */
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

/** The columns that each kind of item shows, and their labels. */
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

/** Returns the columns inferred by the service. */
export function inferredColumns(looked: FilePreview): Columns {
  const columns = { ...NO_COLUMNS };
  for (const name of Object.keys(columns) as ColumnName[]) columns[name] = looked.columns[name] ?? null;
  return columns;
}

/** Returns columns for another kind of item: chosen columns stay, missing ones are filled with unused columns. */
export function columnsFor(kind: ItemKind, columns: Columns, looked: FilePreview): Columns {
  const chosen: Columns = { ...NO_COLUMNS, key: columns.key };
  const free = looked.header.filter((column) => column.name !== columns.key && !looked.labels.includes(column.name));
  const words = free.filter((column) => !column.numbers).map((column) => column.name);
  for (const [name] of SHOWN_COLUMNS[kind]) {
    const taken = Object.values(chosen);
    chosen[name] = columns[name] ?? words.find((name) => !taken.includes(name)) ?? null;
  }
  return chosen;
}

/** Returns whether the items are the files of the archive, so that no columns are needed. */
export function isArchive(looked: FilePreview): boolean {
  return looked.format === "zip" || looked.format === "urls";
}

/** Returns a message about a missing column; null if none is missing. */
export function missingColumn(kind: ItemKind, columns: Columns, looked: FilePreview): string | null {
  if (isArchive(looked)) return null;
  const column = SHOWN_COLUMNS[kind].find(([name]) => columns[name] === null);
  return column ? `Choose the ${column[1].charAt(0).toLowerCase()}${column[1].slice(1)}.` : null;
}

/** Returns the columns to send with the file. Labels that are not gold must not be used as features. */
export function columnsToSend(
  kind: ItemKind,
  columns: Columns,
  looked: FilePreview,
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

/** Returns a row of the file as an item. */
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
