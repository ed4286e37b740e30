import { useState } from "preact/hooks";
import { call, type Session, useSending } from "../../api";
import { Button, Card, Field, Notice } from "../../ui";

/** A form to change the own password. */
export function Password({ session }: { session: Session }) {
  const [old, setOld] = useState("");
  const [fresh, setFresh] = useState("");
  const [done, setDone] = useState(false);
  const { busy, problem, send } = useSending();
  const change = (event: Event) => {
    event.preventDefault();
    setDone(false);
    send(call("PUT", "/api/session/password", { old, new: fresh }), () => {
      setOld("");
      setFresh("");
      setDone(true);
    });
  };
  return (
    <Card title="Password">
      <form class="stack inline-form" onSubmit={change}>
        <input type="text" autocomplete="username" value={session.name} readOnly hidden />
        <Field
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
          value={old}
          onInput={(e) => setOld(e.currentTarget.value)}
        />
        <Field
          label="New password"
          type="password"
          autocomplete="new-password"
          minLength={10}
          hint="At least 10 characters. You will be signed out of all other sessions."
          required
          value={fresh}
          onInput={(e) => setFresh(e.currentTarget.value)}
        />
        {done && <Notice kind="good">Password changed.</Notice>}
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
