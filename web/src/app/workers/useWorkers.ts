import { useEffect, useState } from "preact/hooks";
import { get, Problem, type Worker } from "../../api";
import { useProject } from "../project-context";
import { useAtMostEvery } from "../useAtMostEvery";

const PAGE_SIZE = 1000;
const RELOAD_MS = 5000; // between two reloads while votes arrive

export interface Workers {
  workers: Worker[] | null;
  problem: Problem | null;
  /** Whether `more` can load more workers. */
  left: boolean;
  more: () => void;
  reload: () => void;
}

/** Loads workers, a thousand at a time; up to a thousand workers are updated as votes arrive. */
export function useWorkers(): Workers {
  const { project, overview } = useProject();
  const [workers, setWorkers] = useState<Worker[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [left, setLeft] = useState(false);
  const load = async (kept: Worker[], signal?: AbortSignal) => {
    const after = kept.at(-1)?.id ?? 0;
    try {
      const page = await get<Worker[]>(`/api/projects/${project.id}/workers?after=${after}&limit=${PAGE_SIZE}`, signal);
      setWorkers([...kept, ...page]);
      setLeft(page.length === PAGE_SIZE);
      setProblem(null);
    } catch (error) {
      if (error instanceof Problem) setProblem(error);
    }
  };
  useEffect(() => {
    const leaving = new AbortController();
    void load([], leaving.signal);
    return () => leaving.abort();
  }, [project.id]);
  const reload = () => void load([]);
  const votes = overview ? `${overview.votes} ${overview.voters}` : "";
  useAtMostEvery(RELOAD_MS, votes, () => workers && workers.length < PAGE_SIZE && reload());
  return { workers, problem, left, more: () => void load(workers ?? []), reload };
}
