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
  const add = (spec: ClassSpec, at = classes.length) => {
    onChange([...classes.slice(0, at), spec, ...classes.slice(at)]);
    requestAnimationFrame(() => list.current?.querySelectorAll("li")[at]?.querySelector("input")?.focus());
  };
  const put = (index: number, spec: ClassSpec) => onChange(classes.map((old, other) => (other === index ? spec : old)));
  return (
    <fieldset class="stack answer-list">
      <legend>Answers</legend>
      {faults[`${at}.classes`] && <p class="wrong">{faults[`${at}.classes`]}</p>}
      <ol class="classes" ref={list}>
        {classes.map((spec, index) => (
          <li key={index}>
            <ClassForm
              spec={spec}
              index={index}
              at={`${at}.classes.${index}`}
              faults={faults}
              onChange={(changed) => put(index, changed)}
              defaultKey={keys[index] ?? ""}
              onPasteNames={(names) => onChange(insertNames(classes, index, names))}
              onEnter={() => add(classOf(""), index + 1)}
              onRemove={classes.length > 2 ? () => onChange(classes.filter((_, other) => other !== index)) : null}
            />
          </li>
        ))}
      </ol>
      <p class="soft small">Paste several answers at once, one per line. Press Enter to add the next.</p>
      <Button small onClick={() => add(classOf(""))}>
        Add answer
      </Button>
    </fieldset>
  );
}

interface ClassProps {
  spec: ClassSpec;
  index: number;
  at: string;
  faults: Faults;
  /** The shortcut key unless another one is chosen. */
  defaultKey: string;
  onChange: (spec: ClassSpec) => void;
  onPasteNames: (names: string[]) => void;
  onEnter: () => void;
  onRemove: (() => void) | null;
}

function ClassForm({
  spec,
  index,
  at,
  faults,
  defaultKey: usual,
  onChange,
  onPasteNames: onSeveral,
  onEnter,
  onRemove,
}: ClassProps) {
  const pasted = (event: ClipboardEvent) => {
    const names = namesIn(event.clipboardData?.getData("text") ?? "");
    if (names.length < 2) return;
    event.preventDefault();
    onSeveral(names);
  };
  const named = spec.name || `answer ${index + 1}`;
  return (
    <div class="answer">
      <div class="answer-line">
        <Field
          label={`Answer ${index + 1}`}
          value={spec.name}
          wrong={faults[`${at}.name`]}
          onInput={(e) => onChange({ ...spec, name: e.currentTarget.value })}
          onPaste={pasted}
          onKeyDown={(event) => event.key === "Enter" && onEnter()}
        />
        <Field
          label="Key"
          maxLength={1}
          placeholder={usual}
          aria-label={`Shortcut key of ${named}`}
          value={spec.key ?? ""}
          wrong={faults[`${at}.key`]}
          onInput={(e) => onChange({ ...spec, key: e.currentTarget.value.trim() || null })}
        />
        <Button look="plain" disabled={!onRemove} aria-label={`Remove ${named}`} onClick={() => onRemove?.()}>
          Remove
        </Button>
      </div>
      <details class="more" open={Boolean(spec.definition || spec.examples.length) || undefined}>
        <summary>
          Definition and examples<span class="unseen"> of {named}</span>
        </summary>
        <Meaning spec={spec} named={named} onChange={onChange} />
      </details>
    </div>
  );
}

/** The definition and examples of an answer, which workers can open at any time. */
export function Meaning({
  spec,
  named,
  onChange,
}: {
  spec: ClassSpec;
  named: string;
  onChange: (spec: ClassSpec) => void;
}) {
  return (
    <div class="stack">
      <TextField
        label={`Definition of “${named}”`}
        rows={2}
        value={spec.definition}
        onInput={(e) => onChange({ ...spec, definition: e.currentTarget.value })}
      />
      <TextField
        label={`Examples of “${named}”`}
        hint="One per line."
        rows={2}
        value={spec.examples.join("\n")}
        onInput={(e) => onChange({ ...spec, examples: linesOf(e.currentTarget.value) })}
      />
    </div>
  );
}

/** Names one answer and inserts more after it; empty answers are removed. */
export function insertNames(classes: ClassSpec[], index: number, names: string[]): ClassSpec[] {
  const [first = "", ...rest] = names;
  const named = classes.map((spec, other) => (other === index ? { ...spec, name: first } : spec));
  const after = named.slice(index + 1).filter((spec) => spec.name.trim());
  return [...named.slice(0, index + 1), ...rest.map(classOf), ...after];
}

/** Returns the names in a pasted text, one per line. */
function namesIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Splits text into lines; an empty last line is kept while typing. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}
