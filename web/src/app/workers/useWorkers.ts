import { useEffect, useState } from "preact/hooks";
import { get, Problem, type Worker } from "../../api";
import { useAtMostEvery, useStanding } from "../overview/useOverview";

const AT_ONCE = 1000;
const REST = 5000; // milliseconds between two loads while people vote

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
      const found = await get<Worker[]>(`/api/projects/${project}/workers?after=${after}&limit=${AT_ONCE}`, signal);
      setWorkers([...kept, ...found]);
      setLeft(found.length === AT_ONCE);
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
  useAtMostEvery(REST, votes, () => workers && workers.length < AT_ONCE && reload());
  return { workers, problem, left, more: () => void load(workers ?? []), reload };
}
