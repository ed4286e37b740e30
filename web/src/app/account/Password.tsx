import { useState } from "preact/hooks";
import { call, type Session } from "../../api";
import { Button, Card, Field, Notice } from "../../ui";
import { useForm } from "../forms/useForm";

/** A form to change the own password. */
export function Password({ session }: { session: Session }) {
  const { values, set, field, submit, busy, problem } = useForm({ old: "", new: "" });
  const [done, setDone] = useState(false);
  const change = submit(
    () => call("PUT", "/api/session/password", values),
    () => {
      set({ old: "", new: "" });
      setDone(true);
    },
  );
  return (
    <Card title="Password">
      <form class="stack inline-form" onSubmit={change}>
        <input type="text" autocomplete="username" value={session.name} readOnly hidden />
        <Field label="Current password" type="password" autocomplete="current-password" required {...field("old")} />
        <Field
          label="New password"
          type="password"
          autocomplete="new-password"
          minLength={10}
          hint="At least 10 characters. You will be signed out of all other sessions."
          required
          {...field("new")}
        />
        {done && !problem && <Notice kind="good">Password changed.</Notice>}
        {problem && <Notice kind="bad">{problem}</Notice>}
        <div class="row">
          <Button type="submit" busy={busy}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}
