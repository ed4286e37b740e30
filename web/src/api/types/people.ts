export interface Session {
  name: string;
  role: "owner" | "requester" | "expert" | "worker";
  account_id: number | null;
  voter_id: number | null;
  project_id: number | null;
  scopes: string[];
  csrf: string;
}

export interface LinkFor {
  purpose: "owner" | "password";
  name: string | null;
}

export interface WorkerSession {
  token: string;
  project_id: number;
  code: string;
  kind: VoterKind;
  csrf: string;
}

export type VoterKind = "crowd" | "expert";
