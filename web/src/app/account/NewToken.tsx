import { useState } from "preact/hooks";
import { post, useSending } from "../../api";
import { Button, Choice, Field, Notice } from "../../ui";
import { Check } from "../forms/Check";
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
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(["read"]);
  const [days, setDays] = useState("90");
  const { busy, problem, send } = useSending();
  const make = (event: Event) => {
    event.preventDefault();
    const wanted = { name: name.trim(), scopes, days: days ? Number(days) : null, project_id: project };
    send(post<{ token: string }>("/api/tokens", wanted), ({ token }) => {
      setName("");
      onCreated(token);
    });
  };
  return (
    <form class="stack inline-form" onSubmit={make}>
      <h3>New token</h3>
      <div class="two-fields">
        <Field
          label="Name"
          placeholder="Nightly import"
          required
          value={name}
          onInput={(e) => setName(e.currentTarget.value)}
        />
        <Choice label="Expires after" value={days} onChange={(e) => setDays(e.currentTarget.value)}>
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
            onChange={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((name) => name !== scope))}
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
