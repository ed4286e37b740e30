import type { ProjectState, Worker } from "../../api";
import { ASKING_STATES } from "../../ui/statuses";
import { spamBadge, stateBadge } from "./badge-text";

function WorkerBadge({ words, tone }: { words: string; tone: string }) {
  return (
    <span class="badge" style={{ "--tone": tone }}>
      {words}
    </span>
  );
}

/** The state of a worker. project: the state of the project. */
export function StateBadge({ worker, project }: { worker: Worker; project: ProjectState }) {
  return <WorkerBadge {...stateBadge(worker, ASKING_STATES.includes(project))} />;
}

/** The spam badge of a worker; `number` adds the score. */
export function SpamBadge({ worker, number = false }: { worker: Worker; number?: boolean }) {
  const badge = spamBadge(worker);
  if (!badge) return <span class="soft">–</span>;
  return (
    <span class="spam">
      <WorkerBadge {...badge} />
      {number && <span class="soft small">{worker.spam?.toFixed(2)} of 1</span>}
    </span>
  );
}
