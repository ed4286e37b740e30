import type { ItemKind } from "./items";
import type { Band } from "./progress";

export interface Looked {
  format: string;
  kind: ItemKind;
  columns: Record<string, string | null>;
  header: { name: string; examples: string[]; distinct: number; values: string[] | null; numbers: boolean }[];
  rows: Record<string, unknown>[];
  labels: string[];
}

export interface Simulated {
  items: number;
  strategies: Record<string, { votes: Band; spend: Band; errors: Band }>;
  /** What of the settings is allowed but unlikely to be meant. */
  warnings: string[];
}

export interface Import {
  id: number;
  name: string;
  format: string;
  state: "reading" | "done" | "failed";
  rows: number;
  added: number;
  repeated: number;
  bad: number;
  errors: { row: number; error: string }[];
  message: string | null;
  created_at: number;
  finished_at: number | null;
}
