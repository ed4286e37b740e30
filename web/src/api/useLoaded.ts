import { useCallback, useEffect, useState } from "preact/hooks";
import { get, Problem } from "./call";

export interface Loaded<T> {
  data: T | null;
  problem: Problem | null;
  reload: () => void;
}

/** Loads a path; the data stays while it is loaded again. path null: nothing is loaded. */
export function useLoaded<T>(path: string | null): Loaded<T> {
  const [data, setData] = useState<T | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((n) => n + 1), []);
  useEffect(() => {
    if (path === null) return;
    const leaving = new AbortController();
    get<T>(path, leaving.signal).then(
      (result) => {
        setData(result);
        setProblem(null);
      },
      (error) => {
        if (error instanceof Problem) setProblem(error);
      },
    );
    return () => leaving.abort();
  }, [path, turn]);
  useEffect(() => {
    return () => {
      setData(null);
      setProblem(null);
    };
  }, [path]);
  return { data, problem, reload };
}
