import { useEffect } from "preact/hooks";
import { type LogEntry, type Progress, useLoaded } from "../../api";
import { useProject } from "../project-context";
import { useAtMostEvery } from "../useAtMostEvery";

const RELOAD_MS = 4000; // between two loads of the curves
const POLL_MS = 60_000; // the votes per hour fall while nobody votes
const LATE_RELOAD_MS = 15_000; // by then the learner has used the last votes

/** Loads the curves and the log of the open project, and loads them again as it changes; null until they are loaded. */
export function useProgress(): { progress: Progress | null; log: LogEntry[] | null } {
  const { project, overview, revision } = useProject();
  const { data: progress, reload } = useLoaded<Progress>(`/api/projects/${project.id}/progress`);
  const { data: log, reload: reloadLog } = useLoaded<LogEntry[]>(`/api/projects/${project.id}/events`);
  useAtMostEvery(RELOAD_MS, revision, reload, LATE_RELOAD_MS);
  useAtMostEvery(RELOAD_MS, `${overview?.state} ${overview?.voters}`, reloadLog);
  useEffect(() => {
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return { progress, log };
}
