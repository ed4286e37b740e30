import { STATUS_NAMES, STATUS_TONES } from "./statuses";

/** The status of a task as a coloured badge. */
export function Badge({ status }: { status: string }) {
  return (
    <span class="badge" style={{ "--tone": STATUS_TONES[status] ?? "var(--other)" }}>
      {STATUS_NAMES[status] ?? status}
    </span>
  );
}
