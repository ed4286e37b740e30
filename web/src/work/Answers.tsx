import { useRef, useState } from "preact/hooks";
import type { ClassSpec } from "../api/types";
import { Key } from "./Key";
import "./answers.css";

const SEARCH_FROM = 24; // classes, from which on a search field is shown
const LONG_NAME = 18; // characters, beyond which a button is two columns wide
const LONG_WORD = 10; // characters of a word, beyond which it would be broken in one column
const DOUBLE_PRESS_MS = 150; // a second press within this time is ignored

interface Props {
  classes: ClassSpec[];
  keys: (string | null)[];
  /** The answer given before, or chosen now. */
  chosen?: string | null | undefined;
  busy?: boolean;
  onChoose: (label: string) => void;
}

/** The answers as large buttons with their keys. */
export function Answers({ classes, keys, chosen, busy, onChoose }: Props) {
  const [search, setSearch] = useState("");
  const last = useRef(0);
  const choose = (label: string, single = false) => {
    const isSlip = !single && performance.now() - last.current < DOUBLE_PRESS_MS;
    if (isSlip) return;
    last.current = performance.now();
    setSearch("");
    onChoose(label);
  };
  const matching = classes
    .map((spec, index) => ({ spec, key: keys[index] ?? null }))
    .filter(({ spec }) => spec.name.toLowerCase().includes(search.toLowerCase()));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not scroll
    <div class="answers" role="group" aria-label="Your answer" aria-busy={busy}>
      {classes.length > SEARCH_FROM && (
        <input
          type="search"
          aria-label="Find an answer"
          placeholder="Type to search, then press Enter"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && search && matching[0] && choose(matching[0].spec.name)}
        />
      )}
      <div class={`choices ${sizeOf(classes)}`}>
        {matching.map(({ spec, key }) => (
          <button
            key={spec.name}
            type="button"
            class={isLong(spec) ? "choice long" : "choice"}
            title={spec.definition || undefined}
            aria-pressed={chosen === undefined ? undefined : chosen === spec.name}
            aria-keyshortcuts={key ?? undefined}
            onClick={(event) => choose(spec.name, isSingle(event))}
          >
            {key !== spec.name.toLowerCase() && <Key name={key} always />}
            <span>{spec.name}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

/** Returns whether a click is surely not the second half of a double click; browsers report that only for a mouse. */
function isSingle(event: MouseEvent): boolean {
  return event instanceof PointerEvent && event.pointerType === "mouse" && event.detail === 1;
}

function isLong({ name }: ClassSpec): boolean {
  return name.length > LONG_NAME || name.split(/\s/).some((word) => word.length > LONG_WORD);
}

function sizeOf(classes: ClassSpec[]): string {
  const longest = Math.max(...classes.map((spec) => spec.name.length));
  if (classes.length > 4 && longest <= 4) return "tiny";
  if (classes.length > 6) return "many";
  if (longest > 22) return "wide";
  return classes.length > 4 && classes.some(isLong) ? "many" : "";
}
