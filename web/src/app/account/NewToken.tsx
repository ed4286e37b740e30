import { post } from "../../api";
import { Button, Choice, Field, Notice } from "../../ui";
import { Check } from "../forms/Check";
import { useForm } from "../forms/useForm";
import { SCOPES } from "./roles";

const ENDS: [days: string, name: string][] = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "1 year"],
  ["", "No expiration"],
];

interface Props {
  /** Restricts the token to this project; without it, the token is valid for all projects. */
  project: number | undefined;
  onCreated: (token: string) => void;
}

/** A form to create a token with a name, scopes and an expiration. */
export function NewToken({ project, onCreated }: Props) {
  const { values, set, field, submit, busy, problem } = useForm({ name: "", scopes: ["read"], days: "90" });
  const { scopes, days } = values;
  const token = { name: values.name.trim(), scopes, days: days ? Number(days) : null, project_id: project };
  const create = submit(
    () => post<{ token: string }>("/api/tokens", token),
    (created) => {
      set({ name: "" });
      onCreated(created.token);
    },
  );
  return (
    <form class="stack inline-form" onSubmit={create}>
      <h3>New token</h3>
      <div class="two-fields">
        <Field label="Name" placeholder="Nightly import" required {...field("name")} />
        <Choice label="Expires after" {...field("days")}>
          {ENDS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Choice>
      </div>
      <fieldset class="two-fields">
        <legend>Scopes</legend>
        {Object.entries(SCOPES).map(([scope, words]) => (
          <Check
            key={scope}
            label={words}
            checked={scopes.includes(scope)}
            onChange={(on) => set({ scopes: on ? [...scopes, scope] : scopes.filter((name) => name !== scope) })}
          />
        ))}
      </fieldset>
      {problem && <Notice kind="bad">{problem}</Notice>}
      <div class="row">
        <Button type="submit" busy={busy} disabled={!scopes.length}>
          Create token
        </Button>
      </div>
    </form>
  );
}
