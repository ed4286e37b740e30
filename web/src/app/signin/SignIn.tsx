import { useState } from "preact/hooks";
import { post, type Session, useSending } from "../../api";
import { Button, Card, Field, Notice } from "../../ui";
import { useTitle } from "../router";
import { Brand } from "./Brand";

/** A form to sign in with username and password. */
export function SignIn({ onEnter }: { onEnter: (session: Session) => void }) {
  useTitle("Sign in");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { busy, problem, send } = useSending();
  const enter = (event: Event) => {
    event.preventDefault();
    send(post<Session>("/api/session", { name, password }), onEnter);
  };
  return (
    <main class="narrow">
      <Brand />
      <Card>
        <h1>Sign in</h1>
        <form class="stack" onSubmit={enter}>
          <Field
            label="Username or e-mail"
            autocomplete="username"
            required
            value={name}
            onInput={(e) => setName(e.currentTarget.value)}
          />
          <Field
            label="Password"
            type="password"
            autocomplete="current-password"
            required
            value={password}
            onInput={(e) => setPassword(e.currentTarget.value)}
          />
          {problem && <Notice kind="bad">{problem}</Notice>}
          <Button type="submit" look="main" busy={busy}>
            Sign in
          </Button>
        </form>
        <p class="soft small">No account? Ask an owner for an invitation link. Workers use the link they were sent.</p>
      </Card>
    </main>
  );
}
