import { STATE_NAMES } from "./statuses";

const TONES: Record<string, string> = {
  draft: "var(--open)",
  pilot: "var(--good)",
  estimate: "var(--warn)",
  running: "var(--good)",
  paused: "var(--warn)",
  done: "var(--accent)",
};

/** How a project stands, in a word and a colour: green is at work, amber waits for somebody. */
export function StateBadge({ state }: { state: string }) {
  return (
    <span class="badge" style={{ "--tone": TONES[state] ?? "var(--open)" }}>
      {STATE_NAMES[state] ?? state}
    </span>
  );
}
