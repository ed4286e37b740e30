import type { components } from "../schema";

type Models = components["schemas"];

export type Worker = Models["Worker"];
export type WorkerDetail = Models["WorkerDetail"];
export type WorkerLink = Models["WorkerLink"];
export type WorkerSession = Models["WorkerSession"];
export type VoterKind = Worker["kind"];
