import type { ComponentChildren } from "preact";

/** An empty state: why there is nothing, and what to do. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}
