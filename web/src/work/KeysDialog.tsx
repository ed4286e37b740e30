import type { Question } from "../api/types";
import { ReadingDialog } from "./ReadingDialog";
import { keyName } from "./text";
import type { CurrentItem } from "./useCurrentItem";

interface Props {
  question: Question;
  keys: (string | null)[];
  others: [key: string, does: string][];
  onClose: () => void;
}

/** The list of keyboard shortcuts. */
export function KeysDialog({ question, keys, others, onClose }: Props) {
  const classes = question.classes.flatMap((spec, index) => (keys[index] ? [[keys[index], spec.name]] : []));
  return (
    <ReadingDialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="keys">
        {[...classes, ...others].map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{keyName(key as string)}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </ReadingDialog>
  );
}

type KeyHelp = [key: string | false | null, does: string][];

interface Options {
  mayGrid: boolean;
  isExpert: boolean;
  /** Whether the image grid is shown. */
  grid: boolean;
  /** The title of the help; empty if there is none. */
  help: string;
}

/** Returns the shortcuts that are not answers. */
export function otherKeys(current: CurrentItem, { mayGrid, isExpert, grid, help }: Options) {
  const { actionKeys: keys } = current;
  const actions: KeyHelp = [
    ...(grid ? gridKeys() : itemKeys(current)),
    ["backspace", "Undo the last answer"],
    [help && keys.guide, help],
    [isExpert && keys.votes, "Other votes on the previous item"],
    [mayGrid && keys.grid, grid ? "One image at a time" : "Image grid"],
    ["?", "Keyboard shortcuts"],
  ];
  return actions.filter((action): action is [string, string] => Boolean(action[0]));
}

function itemKeys({ actionKeys: keys, lease }: CurrentItem): KeyHelp {
  const { kind } = lease.item;
  return [
    [keys.unsure, "Unsure"],
    [keys.skip, "Skip this item"],
    [kind === "image" && "+", "Zoom in"],
    [kind === "image" && "-", "Zoom out"],
    [kind === "audio" && " ", "Play or pause"],
  ];
}

function gridKeys(): KeyHelp {
  return [
    ["Arrows", "Move between images"],
    ["Enter", "Apply the chosen answer to this image"],
    ["Ctrl Enter", "Submit the answers"],
  ];
}
