import { useState } from "preact/hooks";
import { call, type Session, useSending } from "../../api";
import { Button, Card, Field, Notice } from "../../ui";

/** Change one's own password. */
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
          label="Password so far"
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
          hint="At least 10 characters. All other sessions of yours end."
          required
          value={fresh}
          onInput={(e) => setFresh(e.currentTarget.value)}
        />
        {done && <Notice kind="good">The password is changed.</Notice>}
        {problem && <Notice kind="bad">{problem}</Notice>}
        <div class="row">
          <Button type="submit" busy={busy}>
            Change the password
          </Button>
        </div>
      </form>
    </Card>
  );
}
