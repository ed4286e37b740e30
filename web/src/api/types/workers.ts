import type { VoterKind } from "./people";
import type { Band } from "./progress";

export interface Worker {
  id: number;
  code: string;
  kind: VoterKind;
  state: string;
  votes: number;
  checks: number;
  right: number;
  accuracy: number | null;
  low: number | null;
  high: number | null;
  skill: Band | null;
  seconds: number | null;
  spam: number | null;
  due: number;
  consented_at: number | null;
  seen_at: number | null;
}

export interface WorkerDetail extends Worker {
  questions: Record<string, { classes: string[]; confusion: number[][] } | null>;
  gold: { item_id: number; key: string; question: string; said: string | null; known: string; at: number }[];
  pay: { due: number; votes: number };
}

export interface WorkerLink {
  id: number;
  code: string;
  kind: VoterKind;
  link: string;
}
