import { useEffect, useState } from "preact/hooks";
import type { Overview } from "./types";

/** A decision as it is told to listeners. item: its key. */
export interface Decision {
  id: number;
  item: string;
  question: string;
  status: string;
  label: string | null;
  confidence: number | null;
  votes: number;
  at: number;
}

type Hear = { [name: string]: (data: string) => void };

const KEPT = 12; // decisions, newest first
const WAIT = 5000; // milliseconds until a stream that was refused is opened again

/** How a project stands, as it changes, and the latest decisions. */
export function useLiveOverview(project: number): { overview: Overview | null; live: boolean; decisions: Decision[] } {
  const [overview, setOverview] = useState<Overview | null>(null);
  const [live, setLive] = useState(false);
  const [decisions, setDecisions] = useState<Decision[]>([]);
  useEffect(() => {
    const close = listen(`/api/projects/${project}/stream`, setLive, {
      overview: (data) => setOverview(JSON.parse(data) as Overview),
      decision: (data) => {
        const made = JSON.parse(data) as Decision;
        setDecisions((kept) => [made, ...kept.filter((one) => one.id !== made.id)].slice(0, KEPT));
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

/** Hears a stream until it is closed. A lost one is opened again by the browser; one that was refused, by us. */
export function listen(path: string, onLive: (live: boolean) => void, hear: Hear): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(path);
    source.onopen = () => onLive(true);
    source.onerror = () => {
      onLive(false);
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, WAIT);
    };
    for (const [name, act] of Object.entries(hear)) source.addEventListener(name, (event) => act(event.data));
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
