import type { components } from "../schema";

type Models = components["schemas"];

export type CostForecast = Models["CostForecast"];
export type FilePreview = Models["FilePreview"];
export type Import = Models["ImportOut"];
