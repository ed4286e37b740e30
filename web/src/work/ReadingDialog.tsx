import type { ComponentChildren } from "preact";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** Something to read in front of the item. */
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
