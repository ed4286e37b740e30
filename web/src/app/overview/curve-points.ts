import type { Overview, Point, Progress } from "../../api";
import type { Line, Mark } from "../../charts";
import { statusParts, sumStatuses } from "./status-counts";

/** Returns the curves of decisions over votes or time, by who decided. */
export function decisionCurves(points: Point[], by: "votes" | "at"): { x: number[]; lines: Line[] } {
  const kept = ordered(points, by);
  const present = kept.map((point) => new Map(statusParts(point.statuses).map((part) => [part.status, part])));
  const names = new Map(present.flatMap((parts) => [...parts]));
  const order = ["expert", "crowd", "machine", "excluded", "unclassifiable", "undecided", "open"];
  const lines = order.flatMap((status) => {
    const part = names.get(status);
    if (!part) return [];
    const values = present.map((parts) => parts.get(status)?.n ?? 0);
    return [{ name: SHORT_NAMES[status] ?? part.name, tone: part.tone, values }];
  });
  return { x: kept.map((point) => point[by]), lines };
}

const SHORT_NAMES: Record<string, string> = {
  machine: "Classifier",
  crowd: "Crowd",
  expert: "Expert",
  excluded: "Skipped",
  unclassifiable: "Unclassifiable",
  undecided: "Undecided",
  open: "Open",
};

/** Returns the expected error rate by amount spent. */
export function errorCurve(points: Point[]): { x: number[]; lines: Line[] } {
  const measured = ordered(
    points.filter((point) => point.risk !== null),
    "spent",
  );
  const values = measured.map((point) => point.risk);
  return {
    x: measured.map((point) => point.spent),
    lines: [{ name: "Expected error rate", tone: "var(--accent)", values }],
  };
}

/** Returns marks of a fixed number of votes per item, for comparison. */
export function fixedVoteMarks(fixed: Progress["fixed"]): Mark[] {
  return fixed.map((baseline) => ({ name: `${baseline.votes} votes`, x: baseline.spend, y: baseline.error }));
}

/** Returns the points with the current counts as the last one. */
export function withCurrentPoint(points: Point[], { votes, spent, tasks }: Overview, now = Date.now() / 1000): Point[] {
  const at = Math.max(now, points.at(-1)?.at ?? 0);
  return [...points, { at, votes, spent, statuses: sumStatuses(tasks), risk: null }];
}

/** Sorts points by x and keeps the latest of each x: a chart is drawn from left to right. */
function ordered(points: Point[], by: "votes" | "at" | "spent"): Point[] {
  const last = new Map(points.map((point) => [point[by], point]));
  return [...last.values()].sort((point, other) => point[by] - other[by]);
}
