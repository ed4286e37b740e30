import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children }: Props) {
  const shown = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = shown.current;
    dialog?.showModal();
    dialog?.scrollTo(0, 0); // start at the top, wherever the first button is
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={shown} class="dialog" aria-labelledby={id} onClose={onClose}>
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
