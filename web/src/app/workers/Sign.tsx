import type { ProjectState, Worker } from "../../api";
import { AT_WORK } from "../../ui/statuses";
import { spamOf, stateOf } from "./words";

function Sign({ words, tone }: { words: string; tone: string }) {
  return (
    <span class="badge" style={{ "--tone": tone }}>
      {words}
    </span>
  );
}

/** Whether a worker may vote, and if not, why. project: how it stands. */
export function StateSign({ worker, project }: { worker: Worker; project: ProjectState }) {
  return <Sign {...stateOf(worker, AT_WORK.includes(project))} />;
}

/** Whether answers look like those of somebody who does not look; with the number where there is room to explain it. */
export function SpamSign({ worker, number = false }: { worker: Worker; number?: boolean }) {
  const told = spamOf(worker);
  if (!told) return <span class="soft">–</span>;
  return (
    <span class="spam">
      <Sign {...told} />
      {number && <span class="soft small">{worker.spam?.toFixed(2)} of 1</span>}
    </span>
  );
}
