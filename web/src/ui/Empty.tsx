import type { ComponentChildren } from "preact";

/** Nothing here yet: why, and what to do. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}
