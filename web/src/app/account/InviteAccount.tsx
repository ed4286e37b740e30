import { type Invitation, post } from "../../api";
import { Button, Choice, Field, Notice } from "../../ui";
import { useForm } from "../forms/useForm";
import { ROLES, type Role } from "./roles";

/** A form to create an account, with a link to set its password. */
export function InviteAccount({ onCreated }: { onCreated: (name: string, invited: Invitation) => void }) {
  const { values, set, field, submit, busy, problem } = useForm({ name: "", role: "requester" as Role });
  const invite = submit(
    () => post<Invitation>("/api/accounts", values),
    (invited) => {
      onCreated(values.name, invited);
      set({ name: "" });
    },
  );
  return (
    <form class="stack inline-form" onSubmit={invite}>
      <h3>Invite a person</h3>
      <div class="two-fields">
        <Field label="Username or e-mail" placeholder="ben@example.org" required {...field("name")} />
        <Choice label="Role" hint={ROLES[values.role].may} {...field("role")}>
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
