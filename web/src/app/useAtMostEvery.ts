import { useEffect, useRef } from "preact/hooks";

/**
 * Runs `act` after `revision` changed, with at least `rest` milliseconds between two runs; the last change always counts.
 *
 * With `later`, it runs once more that many milliseconds after the last change.
 */
export function useAtMostEvery(rest: number, revision: string, act: () => void, later = 0): void {
  const lastRun = useRef(Date.now());
  const seen = useRef(revision);
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (seen.current === revision) return;
    const run = () => {
      seen.current = revision;
      lastRun.current = Date.now();
      latest.current();
    };
    const soon = setTimeout(run, Math.max(0, lastRun.current + rest - Date.now()));
    const again = later ? setTimeout(run, later) : undefined;
    return () => {
      clearTimeout(soon);
      clearTimeout(again);
    };
  }, [revision, rest, later]);
}
