export { call, get, Problem, post, setCsrf } from "./call";
export { useLiveOverview } from "./stream";
export type * from "./types";
export { type Loaded, useLoaded } from "./useLoaded";
export { useSending } from "./useSending";
