import { useEffect, useState } from "preact/hooks";

/** Resolves a colour token for a canvas: light-dark() and var() are computed by an element that uses them. */
export function resolveColour(tone: string, parent: Element = document.body): string {
  const probe = document.createElement("span");
  probe.style.color = tone;
  probe.hidden = true;
  parent.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour || tone;
}

/** Counts changes between light and dark mode, after which a canvas is drawn again. */
export function useTheme(): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => setTurn((n) => n + 1);
    dark.addEventListener("change", changed);
    return () => dark.removeEventListener("change", changed);
  }, []);
  return turn;
}
