import { type LinkPurpose, post, type Session } from "../../api";
import { Button, Field, Notice } from "../../ui";
import { useForm } from "../forms/useForm";

interface Props {
  link: string;
  purpose: LinkPurpose;
  onEnter: (session: Session) => void;
}

const MIN_CHARACTERS = 10; // of a password

/** A form to set a password, and for the first owner a username. */
export function JoinForm({ link, purpose, onEnter }: Props) {
  const first = purpose.purpose === "owner";
  const { values, field, submit, busy, problem } = useForm({ name: "", password: "" });
  const { name, password } = values;
  const join = submit(
    () => post<Session>("/api/session/join", first ? { link, name, password } : { link, password }),
    onEnter,
  );
  return (
    <form class="stack" onSubmit={join}>
      <p class="soft">
        {first
          ? "This is the first account. It owns the service and can invite others."
          : "Choose a password. You will sign in with your username and this password."}
      </p>
      {first ? (
        <Field label="Username or e-mail" autocomplete="username" required {...field("name")} />
      ) : (
        <input type="text" autocomplete="username" value={purpose.name ?? ""} readOnly hidden />
      )}
      <Field
        label="Password"
        type="password"
        hint={`At least ${MIN_CHARACTERS} characters. Several words are easy to remember.`}
        autocomplete="new-password"
        minLength={MIN_CHARACTERS}
        required
        {...field("password")}
      />
      {problem && <Notice kind="bad">{problem}</Notice>}
      <Button type="submit" look="main" busy={busy}>
        {first ? "Create account" : "Set password"}
      </Button>
    </form>
  );
}
