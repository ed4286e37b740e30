/** What the service sends and takes, as far as the pages use it. */

export type * from "./items";
export type * from "./model";
export type * from "./people";
export type * from "./planning";
export type * from "./progress";
export type * from "./projects";
export type * from "./voting";
export type * from "./workers";
