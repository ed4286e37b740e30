import type { Overview, Point, Progress } from "../../api";
import type { Line, Mark } from "../../charts";
import { statusParts, sumStatuses } from "./status-counts";

/** Who decided, over the votes or the time: what is drawn of the points. */
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

/** The share that would be wrong, by what was spent. */
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

/** Where the same number of votes on every item would be. */
export function fixedVoteMarks(fixed: Progress["fixed"]): Mark[] {
  return fixed.map((baseline) => ({ name: `${baseline.votes} votes`, x: baseline.spend, y: baseline.error }));
}

/** The points, and how it stands at this moment: the curves end where the counts do. */
export function withCurrentPoint(points: Point[], { votes, spent, tasks }: Overview, now = Date.now() / 1000): Point[] {
  const at = Math.max(now, points.at(-1)?.at ?? 0);
  return [...points, { at, votes, spent, statuses: sumStatuses(tasks), risk: null }];
}

/** Each place of x once, the latest of it: a chart goes from left to right. */
function ordered(points: Point[], by: "votes" | "at" | "spent"): Point[] {
  const last = new Map(points.map((point) => [point[by], point]));
  return [...last.values()].sort((point, other) => point[by] - other[by]);
}
