import type { Session } from "../../api";

export type Role = Session["role"];

/** What each role is called, and what it may do. */
export const ROLES: Record<Role, { name: string; may: string }> = {
  owner: { name: "Owner", may: "Sees and changes everything, accounts too." },
  requester: { name: "Requester", may: "Makes projects, and sees those of which they are a member." },
  expert: { name: "Expert", may: "Votes as an expert where they are a member." },
  worker: { name: "Worker", may: "Votes where they are a member." },
};

/** What a token may be for. */
export const SCOPES: Record<string, string> = {
  read: "See projects and results",
  classify: "Have single items classified",
  vote: "Vote",
  manage: "Make and change projects",
};
