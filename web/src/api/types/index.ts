/** What the service sends and takes, as far as the pages use it. */
export type * from "./designing";
export type * from "./items";
export type * from "./model";
export type * from "./people";
export type * from "./progress";
export type * from "./projects";
export type * from "./voting";
export type * from "./workers";
