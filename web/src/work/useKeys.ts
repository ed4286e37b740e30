import { useLayoutEffect, useRef } from "preact/hooks";
import { isForPage } from "../ui/is-for-page";

/** Runs actions by key while the component is shown; keys are in lower case. */
export function useKeys(actions: Record<string, (() => void) | undefined>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const action = latest.current[event.key?.toLowerCase()];
      if (!action || !isForPage(event)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}
