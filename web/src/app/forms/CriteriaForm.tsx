import type { ClassSpec, Question } from "../../api";
import { Button, Choice, Field, TextField } from "../../ui";
import { newCriterion } from "./defaults";
import type { Faults } from "./field-errors";
import type { PartProps } from "./parts";

/** Criteria that must all hold for an item to be kept. */
export function CriteriaForm({ settings, change, faults }: PartProps) {
  const { questions } = settings;
  const put = (place: number, one: Question) =>
    change({ questions: questions.map((old, other) => (other === place ? one : old)) });
  return (
    <fieldset class="stack answer-list">
      <legend>Criteria</legend>
      <p class="soft small">An item is kept only if all of them hold. Who fails one is not asked about the others.</p>
      <ol class="stack">
        {questions.map((one, place) => (
          <li key={place}>
            <CriterionForm
              one={one}
              place={place}
              faults={faults}
              onChange={(changed) => put(place, changed)}
              onRemove={
                questions.length > 1
                  ? () => change({ questions: questions.filter((_, other) => other !== place) })
                  : null
              }
            />
          </li>
        ))}
      </ol>
      <Button small onClick={() => change({ questions: [...questions, newCriterion()] })}>
        Add a criterion
      </Button>
    </fieldset>
  );
}

interface Props {
  one: Question;
  place: number;
  faults: Faults;
  onChange: (one: Question) => void;
  onRemove: (() => void) | null;
}

function CriterionForm({ one, place, faults, onChange, onRemove }: Props) {
  const at = `questions.${place}`;
  const named = one.name || `criterion ${place + 1}`;
  return (
    <div class="answer">
      <div class="answer-line">
        <Field
          label={`Criterion ${place + 1}`}
          placeholder="adults"
          value={one.name}
          wrong={faults[`${at}.name`]}
          onInput={(e) => onChange({ ...one, name: e.currentTarget.value })}
        />
        <Button look="plain" disabled={!onRemove} aria-label={`Remove ${named}`} onClick={() => onRemove?.()}>
          Remove
        </Button>
      </div>
      <TextField
        label="Question"
        placeholder="Are the participants adults?"
        rows={2}
        value={one.text}
        wrong={faults[`${at}.text`]}
        onInput={(e) => onChange({ ...one, text: e.currentTarget.value })}
      />
      <Choice
        label="An item is kept if the answer is"
        value={String(one.classes.findIndex((each) => each.name === one.holds))}
        onChange={(e) => onChange({ ...one, holds: one.classes[Number(e.currentTarget.value)]?.name ?? null })}
      >
        {one.classes.map((each, number) => (
          <option key={number} value={String(number)}>
            {each.name} {number === 0 ? "(it must be so)" : "(it must not be so)"}
          </option>
        ))}
      </Choice>
      <details class="more">
        <summary>
          Words and definitions<span class="unseen"> of {named}</span>
        </summary>
        <div class="two-fields">
          {one.classes.map((each, number) => (
            <Answer
              key={number}
              one={each}
              label={number === 0 ? "Word for yes" : "Word for no"}
              wrong={faults[`${at}.classes.${number}.name`]}
              onChange={(changed) => onChange(renamed(one, number, changed))}
            />
          ))}
        </div>
      </details>
    </div>
  );
}

interface AnswerProps {
  one: ClassSpec;
  label: string;
  wrong: string | undefined;
  onChange: (one: ClassSpec) => void;
}

function Answer({ one, label, wrong, onChange }: AnswerProps) {
  return (
    <div class="stack">
      <Field
        label={label}
        value={one.name}
        wrong={wrong}
        onInput={(e) => onChange({ ...one, name: e.currentTarget.value })}
      />
      <TextField
        label={`When is it “${one.name}”?`}
        rows={3}
        value={one.definition}
        onInput={(e) => onChange({ ...one, definition: e.currentTarget.value })}
      />
    </div>
  );
}

/** The answer by which a criterion holds keeps its place when its word changes. */
function renamed(one: Question, place: number, changed: ClassSpec): Question {
  const held = one.classes[place]?.name === one.holds;
  const classes = one.classes.map((old, other) => (other === place ? changed : old));
  return { ...one, classes, holds: held ? changed.name : one.holds };
}
