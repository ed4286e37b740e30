export type ProjectState = "draft" | "pilot" | "estimate" | "running" | "paused" | "done";

/** How many tasks of a question stand how. */
export type Statuses = Record<string, number>;

export interface ProjectBrief {
  id: number;
  name: string;
  state: ProjectState;
  created_at: number;
}

/** A project in the list. statuses: of all its questions together. */
export interface ProjectListed extends ProjectBrief {
  statuses: Statuses;
}

export interface ClassSpec {
  name: string;
  definition: string;
  examples: string[];
  key: string | null;
}

export interface Question {
  name: string;
  text: string;
  classes: ClassSpec[];
  holds: string | null;
}

export interface Consent {
  version: string;
  text: string;
  url: string | null;
}

export interface ProjectSettings {
  name: string;
  kind: "single" | "screening";
  questions: Question[];
  instructions: string;
  consent: Consent | null;
  costs: { error: number; matrix: number[][] | null; unclassifiable: number | null };
  prices: { votes: Record<string, number>; machine: number; platform_fee: number };
  currency: string;
  budget: number | null;
  rest: "cheapest" | "undecided";
  policy: { name: string; options: Record<string, string | number | boolean> };
  learner: { name: string; url: string | null };
  workers: {
    practice: number;
    gold_share: number;
    minimum_accuracy: number;
    checks: number;
    maximum_votes: number | null;
    batch: number;
    lease_seconds: number;
    amend_seconds: number;
  };
  votes_per_item: number;
  audit_share: number;
  pilot: { items: number; budget: number | null };
  endless: boolean;
  door: {
    platform: string;
    worker_parameter: string;
    session_parameter: string;
    signed: boolean;
    completion_url: string | null;
    code_done: string;
    code_failed: string;
    code_no_work: string;
    frames: string[];
  };
}

export interface Project extends ProjectBrief {
  settings_version: number;
  settings: ProjectSettings;
  /** What of them is allowed but unlikely to be meant. */
  warnings?: string[];
}
