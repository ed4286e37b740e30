import type { components } from "../schema";

type Models = components["schemas"];

export type Band = Models["BandOut"];
export type Certificate = Models["CertificateOut"];
export type Decision = Models["DecisionEvent"]["data"];
export type Effect = Models["SettingsEffect"];
export type Estimate = Models["EstimateOut"];
export type Forecast = Models["ForecastOut"];
export type LogEntry = Models["LogEntry"];
export type ModelInUse = Models["ModelInUse"];
export type Overview = Models["OverviewOut"];
export type Point = Models["PointOut"];
export type Progress = Models["ProgressOut"];
export type Strategy = Models["StrategyOut"];
