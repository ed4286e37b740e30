import type { ProjectBrief, Statuses } from "./projects";

export interface Band {
  value: number;
  low: number;
  high: number;
}

export interface ModelInUse {
  version: number;
  created_at: number;
  n_votes: number;
  metrics: Record<string, unknown>;
}

export interface Overview extends ProjectBrief {
  tasks: Record<string, Statuses>;
  voters: number;
  votes: number;
  leases: number;
  /** Answers that are asked of the crowd or an expert and that nobody has in hand: each up to 10,000. */
  waiting: { crowd: number; expert: number };
  spent: number;
  /** Of it, for the classifier. */
  machine_spent?: number;
  committed: number;
  limit: number | null;
  models: Record<string, ModelInUse>;
}

export interface Point {
  at: number;
  votes: number;
  spent: number;
  statuses: Statuses;
  risk: number | null;
}

export interface Certificate {
  accepted: number;
  audited: number;
  wrong: number;
  bound: number | null;
  delta: number;
}

export interface Forecast {
  at: number;
  spend: Band;
  votes: Band;
  days: Band | null;
  errors: Band | null;
}

export interface Progress {
  points: Point[];
  forecast: Forecast | null;
  certificate: Certificate | null;
  estimated_error: number | null;
  votes_per_hour: number | null;
  fixed: { votes: number; spend: number; error: number | null }[];
  /** Items of a screening project, where they are few enough to be counted. */
  screened: { included: number; excluded: number; open: number } | null;
}

export interface Strategy {
  votes: Band;
  spend: Band;
  days: Band | null;
  errors: Band | null;
}

export interface Estimate {
  at: number;
  spent: number;
  questions: Record<string, { items_left: number; strategies: Record<string, Strategy> }>;
  /** What to know before relying on it. */
  warnings: string[];
}

export interface Effect {
  reopened: number;
  closed: number;
  relabelled: number;
  /** What of the settings is allowed but unlikely to be meant. */
  warnings: string[];
}

export interface LogEntry {
  id: number;
  at: number;
  actor: string;
  kind: string;
  data: Record<string, unknown>;
}
