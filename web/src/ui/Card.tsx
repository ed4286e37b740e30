import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  title?: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}

/** A section with its own title; `aside` is shown next to the title. */
export function Card({ title, aside, children }: Props) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={title ? id : undefined}>
      {title && (
        <div class="row apart">
          <h2 id={id}>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
