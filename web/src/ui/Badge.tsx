import { STATUS_NAMES, STATUS_TONES } from "./statuses";

/** How a task stands, or who decided on it, in a word and a colour. */
export function Badge({ status }: { status: string }) {
  return (
    <span class="badge" style={{ "--tone": STATUS_TONES[status] ?? "var(--other)" }}>
      {STATUS_NAMES[status] ?? status}
    </span>
  );
}
