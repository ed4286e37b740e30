import type { components } from "../schema";

type Models = components["schemas"];

export type Completion = Models["Completion"];
export type Lease = Models["Lease"];
export type LeasedItem = Models["LeasedItem"];
export type Next = Models["NextAnswer"];
export type TaskFeedback = Models["TaskFeedback"];
export type Visit = Models["Visit"];
/** A vote as the pages send it: always with a label, which may be null, and the kind of response. */
export type VoteSent = Models["VoteIn"] & Required<Pick<Models["VoteIn"], "label" | "said">>;
export type VoteTaken = Models["VoteOut"];
export type VotesTaken = Models["VotesOut"];
export type VoterResponse = VoteSent["said"];
