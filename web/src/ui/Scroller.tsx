import type { ComponentChildren } from "preact";

/** A box in which a wide table scrolls, also with the keyboard. */
export function Scroller({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="scroller" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
