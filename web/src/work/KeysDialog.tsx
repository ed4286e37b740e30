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

/** What each key does. */
export function KeysDialog({ question, keys, others, onClose }: Props) {
  const classes = question.classes.flatMap((spec, index) => (keys[index] ? [[keys[index], spec.name]] : []));
  return (
    <ReadingDialog title="Keys" onClose={onClose}>
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
  /** Many images are in view at once. */
  grid: boolean;
  /** What the help is called; empty where there is none. */
  help: string;
}

/** Keys of all that is not an answer. */
export function otherKeys(current: CurrentItem, { mayGrid, isExpert, grid, help }: Options) {
  const { actionKeys: keys } = current;
  const actions: KeyHelp = [
    ...(grid ? gridKeys() : itemKeys(current)),
    ["backspace", "Take the last answer back"],
    [help && keys.guide, help],
    [isExpert && keys.votes, "What others said of the item before"],
    [mayGrid && keys.grid, grid ? "One image at a time" : "Many images at once"],
    ["?", "These keys"],
  ];
  return actions.filter((action): action is [string, string] => Boolean(action[0]));
}

function itemKeys({ actionKeys: keys, lease }: CurrentItem): KeyHelp {
  const { kind } = lease.item;
  return [
    [keys.unsure, "Unsure"],
    [keys.skip, "Skip this item"],
    [kind === "image" && "+", "Larger"],
    [kind === "image" && "-", "Smaller"],
    [kind === "audio" && " ", "Play or stop"],
  ];
}

function gridKeys(): KeyHelp {
  return [
    ["Arrows", "From image to image"],
    ["Enter", "The chosen answer for this image"],
    ["Ctrl Enter", "Send the answers"],
  ];
}
