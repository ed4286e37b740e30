import type { ClassSpec, Question } from "../../api";
import { Button, Choice, Field, TextField } from "../../ui";
import { newCriterion } from "./defaults";
import type { Faults } from "./field-errors";
import type { PartProps } from "./parts";

/** The criteria that an item must meet to be included. */
export function CriteriaForm({ settings, change, faults }: PartProps) {
  const { questions } = settings;
  const put = (index: number, question: Question) =>
    change({ questions: questions.map((old, other) => (other === index ? question : old)) });
  return (
    <fieldset class="stack answer-list">
      <legend>Criteria</legend>
      <p class="soft small">
        An item is included only if it meets all criteria. If it fails one, the others are skipped.
      </p>
      <ol class="stack">
        {questions.map((question, index) => (
          <li key={index}>
            <CriterionForm
              question={question}
              index={index}
              faults={faults}
              onChange={(changed) => put(index, changed)}
              onRemove={
                questions.length > 1
                  ? () => change({ questions: questions.filter((_, other) => other !== index) })
                  : null
              }
            />
          </li>
        ))}
      </ol>
      <Button small onClick={() => change({ questions: [...questions, newCriterion()] })}>
        Add criterion
      </Button>
    </fieldset>
  );
}

interface Props {
  question: Question;
  index: number;
  faults: Faults;
  onChange: (question: Question) => void;
  onRemove: (() => void) | null;
}

function CriterionForm({ question, index, faults, onChange, onRemove }: Props) {
  const at = `questions.${index}`;
  const named = question.name || `criterion ${index + 1}`;
  return (
    <div class="answer">
      <div class="answer-line">
        <Field
          label={`Criterion ${index + 1}`}
          placeholder="adults"
          value={question.name}
          wrong={faults[`${at}.name`]}
          onInput={(e) => onChange({ ...question, name: e.currentTarget.value })}
        />
        <Button look="plain" disabled={!onRemove} aria-label={`Remove ${named}`} onClick={() => onRemove?.()}>
          Remove
        </Button>
      </div>
      <TextField
        label="Question"
        placeholder="Are the participants adults?"
        rows={2}
        value={question.text}
        wrong={faults[`${at}.text`]}
        onInput={(e) => onChange({ ...question, text: e.currentTarget.value })}
      />
      <Choice
        label="Include the item if the answer is"
        value={String(question.classes.findIndex((spec) => spec.name === question.holds))}
        onChange={(e) =>
          onChange({ ...question, holds: question.classes[Number(e.currentTarget.value)]?.name ?? null })
        }
      >
        {question.classes.map((spec, number) => (
          <option key={number} value={String(number)}>
            {spec.name} {number === 0 ? "(criterion met)" : "(criterion not met)"}
          </option>
        ))}
      </Choice>
      <details class="more">
        <summary>
          Answer names and definitions<span class="unseen"> of {named}</span>
        </summary>
        <div class="two-fields">
          {question.classes.map((spec, number) => (
            <Answer
              key={number}
              spec={spec}
              label={number === 0 ? "Name for yes" : "Name for no"}
              wrong={faults[`${at}.classes.${number}.name`]}
              onChange={(changed) => onChange(renamed(question, number, changed))}
            />
          ))}
        </div>
      </details>
    </div>
  );
}

interface AnswerProps {
  spec: ClassSpec;
  label: string;
  wrong: string | undefined;
  onChange: (spec: ClassSpec) => void;
}

function Answer({ spec, label, wrong, onChange }: AnswerProps) {
  return (
    <div class="stack">
      <Field
        label={label}
        value={spec.name}
        wrong={wrong}
        onInput={(e) => onChange({ ...spec, name: e.currentTarget.value })}
      />
      <TextField
        label={`Definition of “${spec.name}”`}
        rows={3}
        value={spec.definition}
        onInput={(e) => onChange({ ...spec, definition: e.currentTarget.value })}
      />
    </div>
  );
}

/** Renames an answer; a criterion that was met by this answer still is. */
function renamed(question: Question, index: number, changed: ClassSpec): Question {
  const held = question.classes[index]?.name === question.holds;
  const classes = question.classes.map((old, other) => (other === index ? changed : old));
  return { ...question, classes, holds: held ? changed.name : question.holds };
}
