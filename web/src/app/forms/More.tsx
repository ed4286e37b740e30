import type { ComponentChildren } from "preact";

/** Advanced settings, collapsed unless one of them is invalid. */
export function More({ title, open, children }: { title: string; open?: boolean; children: ComponentChildren }) {
  return (
    <details class="more" open={open || undefined}>
      <summary>{title}</summary>
      <div class="stack">{children}</div>
    </details>
  );
}
