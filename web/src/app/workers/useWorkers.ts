import { useEffect, useState } from "preact/hooks";
import { get, Problem, type Worker } from "../../api";
import { useAtMostEvery, useStanding } from "../overview/useOverview";

const PAGE_SIZE = 1000;
const RELOAD_MS = 5000; // milliseconds between two loads while people vote

export interface Workers {
  workers: Worker[] | null;
  problem: Problem | null;
  /** There are more, which `more` loads. */
  left: boolean;
  more: () => void;
  reload: () => void;
}

/** The workers of a project, a thousand at a time; as long as these are all, they follow the votes. */
export function useWorkers(project: number): Workers {
  const [workers, setWorkers] = useState<Worker[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [left, setLeft] = useState(false);
  const load = async (kept: Worker[], signal?: AbortSignal) => {
    const after = kept.at(-1)?.id ?? 0;
    try {
      const page = await get<Worker[]>(`/api/projects/${project}/workers?after=${after}&limit=${PAGE_SIZE}`, signal);
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
  }, [project]);
  const reload = () => void load([]);
  const { overview } = useStanding(project);
  const votes = overview ? `${overview.votes} ${overview.voters}` : "";
  useAtMostEvery(RELOAD_MS, votes, () => workers && workers.length < PAGE_SIZE && reload());
  return { workers, problem, left, more: () => void load(workers ?? []), reload };
}
