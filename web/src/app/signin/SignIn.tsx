import { post, type Session } from "../../api";
import { Button, Card, Field, Notice } from "../../ui";
import { useForm } from "../forms/useForm";
import { useTitle } from "../router";
import { Brand } from "./Brand";

/** A form to sign in with username and password. */
export function SignIn({ onEnter }: { onEnter: (session: Session) => void }) {
  useTitle("Sign in");
  const { values, field, submit, busy, problem } = useForm({ name: "", password: "" });
  const enter = submit(() => post<Session>("/api/session", values), onEnter);
  return (
    <main class="narrow">
      <Brand />
      <Card>
        <h1>Sign in</h1>
        <form class="stack" onSubmit={enter}>
          <Field label="Username or e-mail" autocomplete="username" required {...field("name")} />
          <Field label="Password" type="password" autocomplete="current-password" required {...field("password")} />
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
