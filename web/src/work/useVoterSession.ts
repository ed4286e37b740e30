import { useEffect, useMemo, useReducer } from "preact/hooks";
import type { Visit } from "../api/types";
import { browserEnvironment } from "./session/environment";
import { preload } from "./session/preload";
import type { WorkService } from "./session/service";
import { VoterSession } from "./session/voter-session";

const IDLE_MS = 300_000; // without activity, after which leases are not extended

/** A voter session while the page is open: kept alive while the voter is active, leases returned on leaving. */
export function useVoterSession(visit: Visit, service: WorkService): VoterSession {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const session = useMemo(() => {
    const name = `${service.project}/${visit.voter.code}`;
    return new VoterSession(visit, service, browserEnvironment(name), name);
  }, [visit, service]);
  useEffect(() => {
    session.onChange = () => {
      preload(
        session.view.queue.hand.map((entry) => entry.lease),
        (task) => service.base(task),
      );
      redraw(0);
    };
    session.start();
    const end = keepAlive(session);
    return () => {
      end();
      session.close();
    };
  }, [session, service]);
  return session;
}

function keepAlive(session: VoterSession): () => void {
  let lastActive = Date.now();
  const ending = new AbortController();
  const { signal } = ending;
  const beat = () => {
    if (document.visibilityState === "visible" && Date.now() - lastActive < IDLE_MS) void session.heartbeat();
  };
  const recordActivity = () => {
    const wasAway = Date.now() - lastActive >= IDLE_MS;
    lastActive = Date.now();
    if (wasAway) beat();
  };
  const timer = setInterval(beat, Math.max(3000, (session.visit.rules.lease_seconds * 1000) / 3));
  for (const name of ["keydown", "pointerdown", "pointermove", "scroll"])
    document.addEventListener(name, recordActivity, { signal, passive: true, capture: true });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && session.back(), {
    signal,
  });
  window.addEventListener("online", () => session.back(), { signal });
  window.addEventListener("pagehide", () => session.leave(), { signal });
  window.addEventListener("pageshow", (event) => event.persisted && location.reload(), { signal });
  return () => {
    clearInterval(timer);
    ending.abort();
  };
}
