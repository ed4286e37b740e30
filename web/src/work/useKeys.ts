import { useLayoutEffect, useRef } from "preact/hooks";
import { isForPage } from "../ui/is-for-page";

/** What keys do while this is shown: by the name of the key, in small letters. */
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
