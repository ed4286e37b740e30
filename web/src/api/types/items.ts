import type { components } from "../schema";

type Models = components["schemas"];

export type ItemContent = Models["ItemContent"];
export type ItemDetail = Models["ItemDetail"];
export type ItemKind = Models["ItemOut"]["kind"];
export type ItemPage = Models["ItemPage"];
export type ItemRow = Models["ItemOut"];
export type TaskDetail = Models["TaskDetail"];
export type TaskSummary = Models["TaskSummary"];
export type VoteRecord = Models["VoteRecord"];

/** The part of an item that is shown to voters. */
export type ShownItem = Pick<ItemRow, "kind" | "content">;
