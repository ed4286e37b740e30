import { useEffect, useRef } from "preact/hooks";
import { type LogEntry, type Overview, type Progress, useLiveOverview, useLoaded } from "../../api";
import type { Decision } from "../../api/stream";

const RELOAD_MS = 4000; // milliseconds between two loads of the curves
const POLL_MS = 60_000; // the pace falls while nobody votes
const LATE_RELOAD_MS = 15_000; // by then the learner has made up its mind on the last votes

/** How a project stands, as it changes. changing: differs when something was decided, said or learned. */
export function useStanding(project: number): Standing {
  const { data: first, problem } = useLoaded<Overview>(`/api/projects/${project}/overview`);
  const { overview: latest, live, decisions } = useLiveOverview(project);
  const overview = latest ?? first;
  const changing = JSON.stringify([overview?.votes, overview?.tasks, overview?.state, overview?.models]);
  return { overview, live, decisions, changing, problem };
}

interface Standing {
  overview: Overview | null;
  live: boolean;
  decisions: Decision[];
  changing: string;
  problem: Error | null;
}

/** All that the overview shows, as it changes. progress is null while it is not known. */
export function useOverview(project: number): {
  overview: Overview | null;
  live: boolean;
  decisions: Decision[];
  progress: Progress | null;
  log: LogEntry[] | null;
  problem: Error | null;
} {
  const at = `/api/projects/${project}`;
  const { overview, live, decisions, changing, problem } = useStanding(project);
  const { data: progress, reload } = useLoaded<Progress>(`${at}/progress`);
  const { data: log, reload: reloadLog } = useLoaded<LogEntry[]>(`${at}/events`);
  useAtMostEvery(RELOAD_MS, changing, reload);
  useAtMostEvery(LATE_RELOAD_MS, changing, reload);
  useEffect(() => {
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [reload]);
  useAtMostEvery(RELOAD_MS, `${overview?.state} ${overview?.voters}`, reloadLog);
  return { overview, live, decisions, progress, log, problem };
}

/** Does something after a change, but rests in between; the last change is never missed. */
export function useAtMostEvery(rest: number, changing: string, act: () => void): void {
  const last = useRef(Date.now());
  const seen = useRef(changing);
  useEffect(() => {
    if (seen.current === changing) return;
    const timer = setTimeout(
      () => {
        seen.current = changing;
        last.current = Date.now();
        act();
      },
      Math.max(0, last.current + rest - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [changing, rest, act]);
}
