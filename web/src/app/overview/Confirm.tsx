import { Button, Dialog } from "../../ui";
import { plural } from "./steps";

interface Props {
  action: "end" | "close-pilot";
  /** Number of open answers; null if unknown. */
  left: number | null;
  onYes: () => void;
  onClose: () => void;
}

/** Asks for confirmation before a project or a pilot ends. */
export function Confirm({ action, left, onYes, onClose }: Props) {
  const yes = () => {
    onYes();
    onClose();
  };
  const end = action === "end";
  return (
    <Dialog title={end ? "End this project?" : "End the pilot now?"} onClose={onClose}>
      {end ? (
        <>
          <p>No more votes are requested. {openItemsText(left)}</p>
          <p>
            Money already spent is not refunded, and webhooks are notified that the project is done. You can reopen the
            project later.
          </p>
        </>
      ) : (
        <p>
          The estimate uses the votes received so far: with fewer votes it is less precise. You can run another pilot
          later.
        </p>
      )}
      <div class="row">
        <Button look="danger" onClick={yes}>
          {end ? "End project" : "End pilot"}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

function openItemsText(left: number | null): string {
  if (left === null) return "Open items stay without a label.";
  return left ? `${plural(left, "open answer")} ${left === 1 ? "stays" : "stay"} without a label.` : "";
}
