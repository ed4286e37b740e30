/** The requests, responses and events of the service that the pages use, under the names that the pages give them. */

export type * from "./items";
export type * from "./model";
export type * from "./people";
export type * from "./planning";
export type * from "./progress";
export type * from "./projects";
export type * from "./voting";
export type * from "./webhooks";
export type * from "./workers";
