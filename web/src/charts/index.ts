import "./charts.css";

export { Chart } from "./Chart";
export { ConfusionTable } from "./ConfusionTable";
export { Interval } from "./Interval";
export { Reliability } from "./Reliability";
export { Sparkline } from "./Sparkline";
export type { Line, Mark } from "./series";
