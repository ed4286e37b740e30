import { Card, Choice, Field } from "../../ui";
import { CriteriaForm } from "../forms/CriteriaForm";
import { InstructionsForm } from "../forms/InstructionsForm";
import { Options } from "../forms/Options";
import { QuestionForm } from "../forms/QuestionForm";
import { withGold, withKind } from "./draft";
import type { StepProps } from "./step";

/** One question with its answers, or the criteria of a screening. */
export function AskStep({ drafting, faults }: StepProps) {
  const { draft, put, change } = drafting;
  const { settings } = draft;
  const props = { settings, change, faults };
  return (
    <>
      <Card>
        <Field
          label="Project name"
          hint="Visible to workers."
          value={settings.name}
          wrong={faults.name}
          onInput={(e) => change({ name: e.currentTarget.value })}
        />
        <Options
          legend="Task type"
          value={settings.kind}
          onChange={(kind) => put(withKind(draft, kind))}
          options={[
            ["single", "One question", "Each item gets one answer"],
            ["screening", "Screening", "Items are included only if they meet all criteria"],
          ]}
        />
      </Card>
      <Card>{settings.kind === "single" ? <QuestionForm {...props} /> : <CriteriaForm {...props} />}</Card>
      {settings.kind === "screening" && <GoldColumns drafting={drafting} />}
      <Card>
        <InstructionsForm {...props} />
      </Card>
    </>
  );
}

/** The columns of gold labels of a screening, by criterion. */
function GoldColumns({ drafting }: { drafting: StepProps["drafting"] }) {
  const { draft, put } = drafting;
  const columns = draft.looked?.header.filter((column) => column.values !== null).map((column) => column.name) ?? [];
  const named = draft.settings.questions.filter((question) => question.name.trim());
  if (!columns.length || !named.length) return null;
  return (
    <Card title="Gold labels">
      <p class="soft small">
        Columns with known answers are used for practice and gold checks. Their values must match the answer names.
      </p>
      <div class="two-fields">
        {named.map((question) => (
          <Choice
            key={question.name}
            label={`Gold labels for “${question.name}”`}
            value={draft.gold[question.name] ?? ""}
            onChange={(e) => put(withGold(draft, question.name, e.currentTarget.value || null))}
          >
            <option value="">None</option>
            {columns.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Choice>
        ))}
      </div>
    </Card>
  );
}
