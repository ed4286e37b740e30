import type { Worker } from "../../api";

/** What is told of a worker, in words. */
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

const AT_WORK = 600; // seconds since somebody was seen

/** Whether somebody may vote, and does at the moment. asked: whether the project asks anybody. */
export function stateBadge(
  { state, votes, seen_at }: Pick<Worker, "state" | "votes" | "seen_at">,
  projectAsks: boolean,
  now = Date.now() / 1000,
): BadgeText {
  const voting = state === "active" || (state === "new" && votes > 0);
  const here = projectAsks && seen_at !== null && now - seen_at <= AT_WORK;
  return STATES[voting ? (here ? "active" : "away") : state] ?? { words: state, tone: "var(--open)" };
}

export const LIKELY_GUESSING = "Likely guessing";

/** Many answers that might as well be guessed make a spammer only of one who is hardly ever right. */
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
