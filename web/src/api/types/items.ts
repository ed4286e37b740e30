export type ItemKind = "text" | "pair" | "image" | "audio" | "html" | "features";

/** What is shown of an item. */
export interface ShownItem {
  kind: ItemKind;
  content: Record<string, unknown>;
}

export interface TaskStanding {
  id: number;
  question_id: number;
  question: string;
  status: string;
  label: string | null;
  gold: string | null;
  posterior: Record<string, number> | null;
  confidence: number | null;
  reason: string | null;
  n_votes: number;
  ambiguity: number | null;
}

export interface ItemRow extends ShownItem {
  id: number;
  key: string;
  decided: boolean;
  created_at: number;
  tasks: TaskStanding[];
}

export interface ItemPage {
  items: ItemRow[];
  next: string | null;
  total: number | null;
}

export type Said = "vote" | "skip" | "unsure";

export interface VoteRecord {
  id: number;
  voter: string;
  voter_id: number;
  kind: string;
  label: string | null;
  said: Said;
  note: string | null;
  purpose: string;
  seconds: number | null;
  given_at: number;
  amendment: number;
}

export interface TaskDetail extends TaskStanding {
  ask: string | null;
  wanted: number;
  leased: number;
  value: number | null;
  expected_cost: number | null;
  price: number | null;
  machine: Record<string, number> | null;
  audited: boolean;
  decided_at: number | null;
  model_version: number | null;
  wish: string | null;
  why: string;
  path: { after: number | null; votes: number; posterior: Record<string, number> }[];
  votes: VoteRecord[];
  decisions: {
    made_at: number;
    status: string;
    label: string | null;
    confidence: number | null;
    reason: string | null;
    n_votes: number;
  }[];
}

export interface ItemDetail extends Omit<ItemRow, "tasks"> {
  features: number[] | null;
  tasks: TaskDetail[];
}
