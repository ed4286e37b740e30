import type { Worker } from "../../api";

/** The text and colour of a badge of a worker. */
interface BadgeText {
  words: string;
  tone: string;
}

const STATES: Record<string, BadgeText> = {
  new: { words: "New", tone: "var(--open)" },
  active: { words: "Active", tone: "var(--good)" },
  away: { words: "Away", tone: "var(--open)" },
  failed: { words: "Failed gold checks", tone: "var(--warn)" },
  blocked: { words: "Blocked", tone: "var(--bad)" },
};

const ACTIVE_SECONDS = 600; // since the worker was last seen

/** Returns whether a worker may vote and is active. projectAsks: whether the project requests votes. */
export function stateBadge(
  { state, votes, seen_at }: Pick<Worker, "state" | "votes" | "seen_at">,
  projectAsks: boolean,
  now = Date.now() / 1000,
): BadgeText {
  const voting = state === "active" || (state === "new" && votes > 0);
  const here = projectAsks && seen_at !== null && now - seen_at <= ACTIVE_SECONDS;
  return STATES[voting ? (here ? "active" : "away") : state] ?? { words: state, tone: "var(--open)" };
}

export const LIKELY_GUESSING = "Likely guessing";

/** Returns the spam badge: answers independent of the item mean spam only for workers who are rarely correct. */
export function spamBadge({ spam, skill }: Pick<Worker, "spam" | "skill">): BadgeText | null {
  if (spam === null) return null;
  if (spam < 0.5) return { words: "Looks fine", tone: "var(--good)" };
  return skill && skill.high < 0.6
    ? { words: LIKELY_GUESSING, tone: "var(--bad)" }
    : { words: "Uncertain", tone: "var(--warn)" };
}

export function votesText(n: number): string {
  return n === 1 ? "1 vote" : `${n.toLocaleString("en")} votes`;
}

export function mayVote(state: string): boolean {
  return state === "new" || state === "active";
}
