import { useState } from "preact/hooks";
import { post, useSending } from "../../api";
import { Button, Choice, Field, Notice } from "../../ui";
import { Check } from "../forms/Check";
import { SCOPES } from "./roles";

const ENDS: [days: string, name: string][] = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "A year"],
  ["", "No end"],
];

interface Props {
  /** The only project in which it is good; without one, it is good in all. */
  project: number | undefined;
  onCreated: (token: string) => void;
}

/** Make a token: its name, what it may do, and when it ends. */
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
      <h3>A new token</h3>
      <div class="two-fields">
        <Field
          label="What it is for"
          placeholder="nightly import"
          required
          value={name}
          onInput={(e) => setName(e.currentTarget.value)}
        />
        <Choice label="Good for" value={days} onChange={(e) => setDays(e.currentTarget.value)}>
          {ENDS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Choice>
      </div>
      <fieldset class="two-fields">
        <legend>It may</legend>
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
          Make a token
        </Button>
      </div>
    </form>
  );
}
