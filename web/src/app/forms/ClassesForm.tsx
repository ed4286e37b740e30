import { useRef } from "preact/hooks";
import type { ClassSpec, Question } from "../../api";
import { Button, Field, TextField } from "../../ui";
import { classKeys } from "../../work/keys";
import { classOf } from "./defaults";
import type { Faults } from "./field-errors";

interface Props {
  question: Question;
  at: string;
  faults: Faults;
  onChange: (classes: ClassSpec[]) => void;
}

/** The answers that workers choose from. */
export function ClassesForm({ question, at, faults, onChange }: Props) {
  const { classes } = question;
  const keys = classKeys(classes);
  const list = useRef<HTMLOListElement>(null);
  const add = (one: ClassSpec, at = classes.length) => {
    onChange([...classes.slice(0, at), one, ...classes.slice(at)]);
    requestAnimationFrame(() => list.current?.querySelectorAll("li")[at]?.querySelector("input")?.focus());
  };
  const put = (place: number, one: ClassSpec) => onChange(classes.map((old, other) => (other === place ? one : old)));
  return (
    <fieldset class="stack answer-list">
      <legend>Answers</legend>
      {faults[`${at}.classes`] && <p class="wrong">{faults[`${at}.classes`]}</p>}
      <ol class="classes" ref={list}>
        {classes.map((one, place) => (
          <li key={place}>
            <ClassForm
              one={one}
              place={place}
              at={`${at}.classes.${place}`}
              faults={faults}
              onChange={(changed) => put(place, changed)}
              usual={keys[place] ?? ""}
              onSeveral={(names) => onChange(several(classes, place, names))}
              onEnter={() => add(classOf(""), place + 1)}
              onRemove={classes.length > 2 ? () => onChange(classes.filter((_, other) => other !== place)) : null}
            />
          </li>
        ))}
      </ol>
      <p class="soft small">Several at once: paste them into an answer, one per line. Enter adds the next.</p>
      <Button small onClick={() => add(classOf(""))}>
        Add an answer
      </Button>
    </fieldset>
  );
}

interface ClassProps {
  one: ClassSpec;
  place: number;
  at: string;
  faults: Faults;
  /** The key that it has unless another is chosen. */
  usual: string;
  onChange: (one: ClassSpec) => void;
  onSeveral: (names: string[]) => void;
  onEnter: () => void;
  onRemove: (() => void) | null;
}

function ClassForm({ one, place, at, faults, usual, onChange, onSeveral, onEnter, onRemove }: ClassProps) {
  const pasted = (event: ClipboardEvent) => {
    const names = namesIn(event.clipboardData?.getData("text") ?? "");
    if (names.length < 2) return;
    event.preventDefault();
    onSeveral(names);
  };
  const named = one.name || `answer ${place + 1}`;
  return (
    <div class="answer">
      <div class="answer-line">
        <Field
          label={`Answer ${place + 1}`}
          value={one.name}
          wrong={faults[`${at}.name`]}
          onInput={(e) => onChange({ ...one, name: e.currentTarget.value })}
          onPaste={pasted}
          onKeyDown={(event) => event.key === "Enter" && onEnter()}
        />
        <Field
          label="Key"
          maxLength={1}
          placeholder={usual}
          aria-label={`Key of ${named}`}
          value={one.key ?? ""}
          wrong={faults[`${at}.key`]}
          onInput={(e) => onChange({ ...one, key: e.currentTarget.value.trim() || null })}
        />
        <Button look="plain" disabled={!onRemove} aria-label={`Remove ${named}`} onClick={() => onRemove?.()}>
          Remove
        </Button>
      </div>
      <details class="more" open={Boolean(one.definition || one.examples.length) || undefined}>
        <summary>
          Definition and examples<span class="unseen"> of {named}</span>
        </summary>
        <Meaning one={one} named={named} onChange={onChange} />
      </details>
    </div>
  );
}

/** What an answer means; workers have it at hand. */
export function Meaning({
  one,
  named,
  onChange,
}: {
  one: ClassSpec;
  named: string;
  onChange: (one: ClassSpec) => void;
}) {
  return (
    <div class="stack">
      <TextField
        label={`When is it “${named}”?`}
        rows={2}
        value={one.definition}
        onInput={(e) => onChange({ ...one, definition: e.currentTarget.value })}
      />
      <TextField
        label={`Examples of “${named}”`}
        hint="One per line."
        rows={2}
        value={one.examples.join("\n")}
        onInput={(e) => onChange({ ...one, examples: linesOf(e.currentTarget.value) })}
      />
    </div>
  );
}

/** The answers with one of them named, and more after it; those that are still empty make room. */
export function several(classes: ClassSpec[], place: number, names: string[]): ClassSpec[] {
  const [first = "", ...rest] = names;
  const named = classes.map((one, other) => (other === place ? { ...one, name: first } : one));
  const after = named.slice(place + 1).filter((one) => one.name.trim());
  return [...named.slice(0, place + 1), ...rest.map(classOf), ...after];
}

/** The names in a text that was pasted, one per line. */
function namesIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Lines as they are typed: an empty one at the end is where the next begins. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}
