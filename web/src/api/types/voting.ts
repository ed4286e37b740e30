import type { Said, ShownItem } from "./items";
import type { VoterKind } from "./people";
import type { ProjectState, Question } from "./projects";

export interface Visit {
  project: string;
  kind: "single" | "screening";
  state: ProjectState;
  currency: string;
  voter: { code: string; kind: VoterKind; state: string };
  instructions: string;
  consent: { version: string | null; text: string; url: string | null; agreed: boolean };
  questions: Question[];
  rules: {
    batch: number;
    lease_seconds: number;
    amend_seconds: number;
    maximum_votes: number | null;
    practice: number;
  };
  progress: {
    votes: number;
    practised: number;
    practice_left: number;
    earned: number;
    price: number;
    open: number | null;
  };
  /** Shows items by their address alone: /api/seen/{ticket}/7/media. */
  ticket: string | null;
}

/** An item as voters see it: a number in place of its key, which may hold the known label. */
export interface LeasedItem extends ShownItem {
  id: number;
}

export interface Lease {
  lease: number;
  task: number;
  question: string;
  item: LeasedItem;
  expires_at: number;
  /** Its right answer is told afterwards. */
  practice: boolean;
}

export interface Next {
  state: "work" | "wait" | "done" | "failed";
  leases: Lease[];
  retry_after: number;
}

export interface VoteSent {
  lease: number;
  key: string;
  label: string | null;
  said: Said;
  note?: string;
  seconds?: number;
}

export interface VoteTaken {
  key: string;
  outcome: "counted" | "repeated" | "late";
  vote: number | null;
  right: string | null;
}

export interface VotesTaken {
  votes: VoteTaken[];
  next: Next | null;
}

export interface Completion {
  outcome: "done" | "failed" | "no_work";
  code: string;
  url: string | null;
}

export interface Told {
  status: string;
  label: string | null;
  posterior: Record<string, number> | null;
  machine: Record<string, number> | null;
  votes: { voter: string; kind: string; label: string | null; said: Said; mine: boolean }[];
  /** The own answer is an audit: it cannot be changed after this was shown. */
  final: boolean;
}
