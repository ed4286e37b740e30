import type { Overview, Point, Progress } from "../../api";
import type { Line, Mark } from "../../charts";
import { partsOf, together } from "./status-counts";

/** Who decided, over the votes or the time: what is drawn of the points. */
export function decisionsOver(points: Point[], by: "votes" | "at"): { x: number[]; lines: Line[] } {
  const kept = ordered(points, by);
  const present = kept.map((point) => new Map(partsOf(point.statuses).map((part) => [part.status, part])));
  const names = new Map(present.flatMap((parts) => [...parts]));
  const order = ["expert", "crowd", "machine", "excluded", "unclassifiable", "undecided", "open"];
  const lines = order.flatMap((status) => {
    const part = names.get(status);
    if (!part) return [];
    const values = present.map((parts) => parts.get(status)?.n ?? 0);
    return [{ name: SHORT[status] ?? part.name, tone: part.tone, values }];
  });
  return { x: kept.map((point) => point[by]), lines };
}

const SHORT: Record<string, string> = {
  machine: "Machine",
  crowd: "Crowd",
  expert: "Expert",
  excluded: "Not needed",
  unclassifiable: "Cannot be told",
  undecided: "Undecided",
  open: "Open",
};

/** The share that would be wrong, by what was spent. */
export function errorOverCost(points: Point[]): { x: number[]; lines: Line[] } {
  const known = ordered(
    points.filter((point) => point.risk !== null),
    "spent",
  );
  const values = known.map((point) => point.risk);
  return {
    x: known.map((point) => point.spent),
    lines: [{ name: "Expected to be wrong, of all items", tone: "var(--accent)", values }],
  };
}

/** Where the same number of votes on every item would be. */
export function marksOf(fixed: Progress["fixed"]): Mark[] {
  return fixed.map((one) => ({ name: `${one.votes} votes`, x: one.spend, y: one.error }));
}

/** The points, and how it stands at this moment: the curves end where the counts do. */
export function upToNow(points: Point[], { votes, spent, tasks }: Overview, now = Date.now() / 1000): Point[] {
  const at = Math.max(now, points.at(-1)?.at ?? 0);
  return [...points, { at, votes, spent, statuses: together(tasks), risk: null }];
}

/** Each place of x once, the latest of it: a chart goes from left to right. */
function ordered(points: Point[], by: "votes" | "at" | "spent"): Point[] {
  const last = new Map(points.map((point) => [point[by], point]));
  return [...last.values()].sort((one, other) => one[by] - other[by]);
}
