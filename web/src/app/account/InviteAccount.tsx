import { useState } from "preact/hooks";
import { post, useSending } from "../../api";
import { Button, Choice, Field, Notice } from "../../ui";
import type { Invited } from "./Accounts";
import { ROLES, type Role } from "./roles";

/** A form to create an account, with a link to set its password. */
export function InviteAccount({ onCreated }: { onCreated: (name: string, invited: Invited) => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("requester");
  const { busy, problem, send } = useSending();
  const invite = (event: Event) => {
    event.preventDefault();
    send(post<Invited>("/api/accounts", { name, role }), (invited) => {
      onCreated(name, invited);
      setName("");
    });
  };
  return (
    <form class="stack inline-form" onSubmit={invite}>
      <h3>Invite a person</h3>
      <div class="two-fields">
        <Field
          label="Username or e-mail"
          placeholder="ben@example.org"
          required
          value={name}
          onInput={(e) => setName(e.currentTarget.value)}
        />
        <Choice
          label="Role"
          hint={ROLES[role].may}
          value={role}
          onChange={(e) => setRole(e.currentTarget.value as Role)}
        >
          {Object.entries(ROLES).map(([value, { name: roleName }]) => (
            <option key={value} value={value}>
              {roleName}
            </option>
          ))}
        </Choice>
      </div>
      {problem && <Notice kind="bad">{problem}</Notice>}
      <div class="row">
        <Button type="submit" busy={busy}>
          Create account
        </Button>
      </div>
    </form>
  );
}
