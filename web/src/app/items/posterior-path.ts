import type { TaskDetail, VoteRecord } from "../../api";
import { percent } from "../../ui/format";

const MOST_LINES = 5;
const EVER_LIKELY = 0.05;
const TONES = ["var(--crowd)", "var(--expert)", "var(--other)", "var(--machine)", "var(--bad)"];

/** Formats a probability; nothing below 1 is shown as 100%. */
export function formatProbability(share: number): string {
  if (share >= 0.99 && share < 1) return percent(Math.min(share, 0.999), 1);
  return share > 0 && share < 0.01 ? percent(Math.max(share, 0.001), 1) : percent(share);
}

/** Sorts classes by probability, most probable first. */
export function rankClasses(belief: Record<string, number>): [name: string, share: number][] {
  return Object.entries(belief).sort(([, share], [, other]) => other - share);
}

/** Returns the probability of each likely class after each vote; the most probable class is drawn last. */
export function pathLines(path: TaskDetail["path"]): { name: string; tone: string; values: number[] }[] {
  const names = Object.keys(path[0]?.posterior ?? {});
  const values = (name: string) => path.map((step) => step.posterior[name] ?? 0);
  return names
    .map((name) => ({ name, values: values(name) }))
    .sort((line, other) => Math.max(...other.values) - Math.max(...line.values))
    .filter((line, index) => index < 2 || (index < MOST_LINES && Math.max(...line.values) >= EVER_LIKELY))
    .map((line, i) => ({ ...line, tone: TONES[i] ?? "var(--open)" }))
    .reverse();
}

/** Returns the votes that their voter has changed since. */
export function amendedVotes(votes: VoteRecord[]): Set<number> {
  const last = new Map<string, number>();
  for (const vote of votes) last.set(vote.voter, Math.max(last.get(vote.voter) ?? 0, vote.amendment));
  return new Set(votes.filter((vote) => vote.amendment < (last.get(vote.voter) ?? 0)).map((vote) => vote.id));
}

/** Returns the number of each counted vote and the most probable class after it. */
export function posteriorAfterVotes(
  path: TaskDetail["path"],
): Map<number, { number: number; name: string; share: number }> {
  const after = new Map<number, { number: number; name: string; share: number }>();
  for (const step of path) {
    const [best] = rankClasses(step.posterior);
    if (step.after !== null && best) after.set(step.after, { number: step.votes, name: best[0], share: best[1] });
  }
  return after;
}
