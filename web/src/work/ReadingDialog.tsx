import type { ComponentChildren } from "preact";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A dialog with something to read and a button to close it. */
export function ReadingDialog({ title, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="row">
        <Button look="main" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
