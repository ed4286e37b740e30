import type { Question } from "../api/types";
import { ToRead } from "./ToRead";
import type { Turn } from "./useCurrentItem";
import { keyName } from "./words";

interface Props {
  question: Question;
  keys: (string | null)[];
  others: [key: string, does: string][];
  onClose: () => void;
}

/** What each key does. */
export function KeysDialog({ question, keys, others, onClose }: Props) {
  const classes = question.classes.flatMap((one, place) => (keys[place] ? [[keys[place], one.name]] : []));
  return (
    <ToRead title="Keys" onClose={onClose}>
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
    </ToRead>
  );
}

type Found = [key: string | false | null, does: string][];

interface May {
  mayGrid: boolean;
  isExpert: boolean;
  /** Many images are in view at once. */
  grid: boolean;
  /** What the help is called; empty where there is none. */
  help: string;
}

/** Keys of all that is not an answer. */
export function otherKeys(turn: Turn, { mayGrid, isExpert, grid, help }: May) {
  const { own } = turn;
  const found: Found = [
    ...(grid ? gridKeys() : itemKeys(turn)),
    ["backspace", "Take the last answer back"],
    [help && own.guide, help],
    [isExpert && own.told, "What others said of the item before"],
    [mayGrid && own.grid, grid ? "One image at a time" : "Many images at once"],
    ["?", "These keys"],
  ];
  return found.filter((one): one is [string, string] => Boolean(one[0]));
}

function itemKeys({ own, lease }: Turn): Found {
  const { kind } = lease.item;
  return [
    [own.unsure, "Unsure"],
    [own.skip, "Skip this item"],
    [kind === "image" && "+", "Larger"],
    [kind === "image" && "-", "Smaller"],
    [kind === "audio" && " ", "Play or stop"],
  ];
}

function gridKeys(): Found {
  return [
    ["Arrows", "From image to image"],
    ["Enter", "The chosen answer for this image"],
    ["Ctrl Enter", "Send the answers"],
  ];
}
