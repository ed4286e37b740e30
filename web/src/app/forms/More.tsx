import type { ComponentChildren } from "preact";

/** What most people leave as it is; open where something in it is wrong. */
export function More({ title, open, children }: { title: string; open?: boolean; children: ComponentChildren }) {
  return (
    <details class="more" open={open || undefined}>
      <summary>{title}</summary>
      <div class="stack">{children}</div>
    </details>
  );
}
