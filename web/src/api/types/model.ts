import type { components } from "../schema";

export type Models = components["schemas"]["ModelsOut"];
export type Reliability = components["schemas"]["BinOut"];
