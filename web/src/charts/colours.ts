import { useEffect, useState } from "preact/hooks";

/** Colours of the tokens as a canvas takes them: light-dark() and var() are resolved by an element that wears them. */
export function resolveColour(tone: string, parent: Element = document.body): string {
  const probe = document.createElement("span");
  probe.style.color = tone;
  probe.hidden = true;
  parent.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour || tone;
}

/** Counts the changes between light and dark: what is painted by hand is painted anew. */
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
