import { STATE_NAMES } from "./statuses";

const TONES: Record<string, string> = {
  draft: "var(--open)",
  pilot: "var(--good)",
  estimate: "var(--warn)",
  running: "var(--good)",
  paused: "var(--warn)",
  done: "var(--accent)",
};

/** The state of a project as a coloured badge: green means running, amber means waiting for someone. */
export function StateBadge({ state }: { state: string }) {
  return (
    <span class="badge" style={{ "--tone": TONES[state] ?? "var(--open)" }}>
      {STATE_NAMES[state] ?? state}
    </span>
  );
}
