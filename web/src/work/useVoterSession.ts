import { useEffect, useMemo, useReducer } from "preact/hooks";
import type { Visit } from "../api/types";
import { browserRoom } from "./environment";
import { preload } from "./preload";
import type { WorkService } from "./service";
import { Desk } from "./voter-session";

const IDLE = 300_000; // milliseconds without a sign of life after which leases are not prolonged

/** A desk for as long as the page is open: kept alive while somebody is there, given back when they leave. */
export function useDesk(visit: Visit, service: WorkService): Desk {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const desk = useMemo(() => {
    const name = `${service.project}/${visit.voter.code}`;
    return new Desk(visit, service, browserRoom(name), name);
  }, [visit, service]);
  useEffect(() => {
    desk.onChange = () => {
      preload(
        desk.view.queue.hand.map((one) => one.lease),
        (task) => service.base(task),
      );
      redraw(0);
    };
    desk.start();
    const end = attend(desk);
    return () => {
      end();
      desk.close();
    };
  }, [desk, service]);
  return desk;
}

function attend(desk: Desk): () => void {
  let lively = Date.now();
  const ending = new AbortController();
  const { signal } = ending;
  const beat = () => {
    if (document.visibilityState === "visible" && Date.now() - lively < IDLE) void desk.heartbeat();
  };
  const sign = () => {
    const wasAway = Date.now() - lively >= IDLE;
    lively = Date.now();
    if (wasAway) beat();
  };
  const timer = setInterval(beat, Math.max(3000, (desk.visit.rules.lease_seconds * 1000) / 3));
  for (const name of ["keydown", "pointerdown", "pointermove", "scroll"])
    document.addEventListener(name, sign, { signal, passive: true, capture: true });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && desk.back(), {
    signal,
  });
  window.addEventListener("online", () => desk.back(), { signal });
  window.addEventListener("pagehide", () => desk.leave(), { signal });
  window.addEventListener("pageshow", (event) => event.persisted && location.reload(), { signal });
  return () => {
    clearInterval(timer);
    ending.abort();
  };
}
