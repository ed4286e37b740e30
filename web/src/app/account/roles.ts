import type { Session } from "../../api";

export type Role = Session["role"];

/** The names and permissions of the roles. */
export const ROLES: Record<Role, { name: string; may: string }> = {
  owner: { name: "Owner", may: "Can view and change everything, including accounts." },
  requester: { name: "Requester", may: "Can create projects and view projects they are a member of." },
  expert: { name: "Expert", may: "Can vote as an expert in projects they are a member of." },
  worker: { name: "Worker", may: "Can vote in projects they are a member of." },
};

/** The scopes of a token. */
export const SCOPES: Record<string, string> = {
  read: "View projects and results",
  classify: "Classify single items",
  vote: "Vote",
  manage: "Create and change projects",
};
