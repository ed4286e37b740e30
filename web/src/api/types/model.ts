import type { Certificate } from "./progress";

export interface Reliability {
  said: number;
  right: number;
  n: number;
}

export interface Models {
  question: string;
  versions: {
    version: number;
    created_at: number;
    n_votes: number;
    machine: string | null;
    metrics: Record<string, unknown>;
  }[];
  /** Held against labels that are known, or else against what the votes together say. */
  reliability: { against: "known" | "consensus"; before: Reliability[]; after: Reliability[] } | null;
  mistakes: { crowd: string; best: string; n: number; share: number; items: { id: number; key: string }[] }[];
  certificate: Certificate | null;
}
