import { Button, Dialog } from "../../ui";
import { plural } from "./steps";

interface Props {
  action: "end" | "close-pilot";
  /** How many answers are still open; null: not known. */
  left: number | null;
  onYes: () => void;
  onClose: () => void;
}

/** Asks before something ends, and says what cannot be undone. */
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
          <p>Nobody is asked any more. {openItemsText(left)}</p>
          <p>
            Money that was spent stays spent, and who waits to be told (webhooks, streams) may act on the labels there
            are. You can open the project again later.
          </p>
        </>
      ) : (
        <p>
          The estimate is made from the votes there are: the fewer, the wider its band. You can run another pilot later.
        </p>
      )}
      <div class="row">
        <Button look="danger" onClick={yes}>
          {end ? "End the project" : "End the pilot"}
        </Button>
        <Button onClick={onClose}>Not now</Button>
      </div>
    </Dialog>
  );
}

function openItemsText(left: number | null): string {
  if (left === null) return "What is still open stays without a label.";
  return left ? `${plural(left, "answer")} still open ${left === 1 ? "stays" : "stay"} without a label.` : "";
}
