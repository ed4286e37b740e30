import type { ItemKind, Looked } from "../../api";
import { Card, Choice, Notice } from "../../ui";
import { Options } from "../forms/Options";
import { columnsFor, isArchive, KIND_NAMES, SHOWN_COLUMNS } from "./columns";
import { withGoldLabels, withLabels } from "./draft";
import type { StepProps } from "./step";

/** What the columns hold, as guessed; all can be corrected. */
export function ColumnsForm({ drafting, faults }: StepProps) {
  const { draft, put } = drafting;
  const { looked, columns, kind } = draft;
  if (!looked || isArchive(looked) || draft.source?.pasted) return null;
  const names = looked.header.map((column) => column.name);
  return (
    <Card title="Columns">
      <div class="two-fields">
        <Choice
          label="What workers see"
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
          label="The item's name is in"
          hint="By it you find an item again."
          names={names}
          value={columns.key}
          none="None: rows are numbered"
          onChange={(key) => put({ columns: { ...columns, key } })}
        />
        <Column
          label="Labels are in"
          hint="If some labels are there already."
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

/** Labels that are there are known, or only name the answers: if all rows had known ones, nothing would be asked. */
function LabelUse({ drafting, looked }: { drafting: StepProps["drafting"]; looked: Looked }) {
  const { draft, put } = drafting;
  const labels = draft.labels ?? "";
  const full = looked.rows.every((row) => row[labels] !== null && row[labels] !== undefined && row[labels] !== "");
  return (
    <>
      <Options
        legend={`What are the labels in “${labels}”?`}
        value={draft.known ? "known" : "example"}
        onChange={(chosen) => put(withGoldLabels(draft, chosen === "known"))}
        options={[
          ["known", "They are right", "Rows that have one serve as practice and checks of workers, and are not asked"],
          ["example", "Only the possible answers", "All rows are asked; the labels are not read"],
        ]}
      />
      {draft.known && full && (
        <Notice kind="warn">The first rows all have a label. Where every row has one, nothing is left to ask.</Notice>
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
