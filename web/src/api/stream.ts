import { useEffect, useState } from "preact/hooks";
import type { Decision, Overview } from "./types";

type Handlers = { [name: string]: (data: string) => void };

const MAX_DECISIONS = 12; // that are kept
const RETRY_MS = 5000; // until a refused stream is opened again

/** Returns the overview of a project as it changes, and the latest decisions. */
export function useLiveOverview(project: number): { overview: Overview | null; live: boolean; decisions: Decision[] } {
  const [overview, setOverview] = useState<Overview | null>(null);
  const [live, setLive] = useState(false);
  const [decisions, setDecisions] = useState<Decision[]>([]);
  useEffect(() => {
    const close = listen(`/api/projects/${project}/stream`, setLive, {
      overview: (data) => setOverview(JSON.parse(data) as Overview),
      decision: (data) => {
        const decision = JSON.parse(data) as Decision;
        setDecisions((kept) => [decision, ...kept.filter((other) => other.id !== decision.id)].slice(0, MAX_DECISIONS));
      },
    });
    return () => {
      close();
      setOverview(null);
      setDecisions([]);
    };
  }, [project]);
  return { overview, live, decisions };
}

/** Listens to a stream until it is closed. The browser reopens a lost stream; a refused one is reopened here. */
export function listen(path: string, onLive: (live: boolean) => void, handlers: Handlers): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(path);
    source.onopen = () => onLive(true);
    source.onerror = () => {
      onLive(false);
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS);
    };
    for (const [name, handle] of Object.entries(handlers)) source.addEventListener(name, (event) => handle(event.data));
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
