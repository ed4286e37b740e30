import type { FilePreview, ItemKind } from "../../api";
import { Card, Choice, Notice } from "../../ui";
import { Options } from "../forms/Options";
import { columnsFor, isArchive, KIND_NAMES, SHOWN_COLUMNS } from "./columns";
import { withGoldLabels, withLabels } from "./draft";
import type { StepProps } from "./step";

/** The inferred columns of the file, which can be corrected. */
export function ColumnsForm({ drafting, faults }: StepProps) {
  const { draft, put } = drafting;
  const { looked, columns, kind } = draft;
  if (!looked || isArchive(looked) || draft.source?.pasted) return null;
  const names = looked.header.map((column) => column.name);
  return (
    <Card title="Columns">
      <div class="two-fields">
        <Choice
          label="Content type"
          value={kind}
          onChange={(e) => {
            const chosen = e.currentTarget.value as ItemKind;
            put({ kind: chosen, columns: columnsFor(chosen, columns, looked) });
          }}
        >
          {Object.entries(KIND_NAMES).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </Choice>
        {SHOWN_COLUMNS[kind].map(([name, label]) => (
          <Column
            key={name}
            label={label}
            names={names}
            value={columns[name]}
            none="Choose…"
            wrong={columns[name] === null ? faults["file.columns"] : undefined}
            onChange={(column) => put({ columns: { ...columns, [name]: column } })}
          />
        ))}
        <Column
          label="Item ID column"
          hint="Used to identify items in results."
          names={names}
          value={columns.key}
          none="None: number the rows"
          onChange={(key) => put({ columns: { ...columns, key } })}
        />
        <Column
          label="Label column"
          hint="If some items already have labels."
          names={names}
          value={draft.labels}
          none="None"
          onChange={(column) => put(withLabels(draft, column))}
        />
      </div>
      {draft.labels !== null && <LabelUse drafting={drafting} looked={looked} />}
    </Card>
  );
}

/** Whether existing labels are gold labels or only name the answers; if all rows were gold, none would need votes. */
function LabelUse({ drafting, looked }: { drafting: StepProps["drafting"]; looked: FilePreview }) {
  const { draft, put } = drafting;
  const labels = draft.labels ?? "";
  const full = looked.rows.every((row) => row[labels] !== null && row[labels] !== undefined && row[labels] !== "");
  return (
    <>
      <Options
        legend={`How should the labels in “${labels}” be used?`}
        value={draft.known ? "known" : "example"}
        onChange={(chosen) => put(withGoldLabels(draft, chosen === "known"))}
        options={[
          ["known", "As gold labels", "Labelled rows are used for practice and gold checks and need no votes"],
          ["example", "As answer names only", "All rows are voted on; the labels are ignored"],
        ]}
      />
      {draft.known && full && (
        <Notice kind="warn">
          The first rows all have a label. If every row has one, no items are left to vote on.
        </Notice>
      )}
    </>
  );
}

interface ColumnProps {
  label: string;
  hint?: string;
  names: string[];
  value: string | null;
  none: string;
  wrong?: string | undefined;
  onChange: (column: string | null) => void;
}

function Column({ label, hint, names, value, none, wrong, onChange }: ColumnProps) {
  return (
    <Choice
      label={label}
      hint={hint}
      wrong={wrong}
      value={value ?? ""}
      onChange={(e) => onChange(e.currentTarget.value || null)}
    >
      <option value="">{none}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Choice>
  );
}
