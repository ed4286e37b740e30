import { useEffect, useState } from "preact/hooks";
import { type LinkPurpose, post, type Session, useSending } from "../../api";
import { ButtonLink, Card, Notice } from "../../ui";
import { go } from "../router";
import { Brand } from "../signin/Brand";
import { JoinForm } from "./JoinForm";

/** Opens a single-use link: creates the first account, or sets the password of an account. */
export function Join({ onEnter }: { onEnter: (session: Session) => void }) {
  const [link] = useState(location.hash.slice(1));
  const [purpose, setPurpose] = useState<LinkPurpose | null>(null);
  const { problem, send } = useSending();
  useEffect(() => send(post<LinkPurpose>("/api/session/link", { link: link || "-" }), setPurpose), [link]);
  const enter = (session: Session) => {
    onEnter(session);
    go("/", { replace: true });
  };
  return (
    <main class="narrow">
      <Brand />
      <Card>
        <h1>{titleOf(purpose, problem !== undefined)}</h1>
        {purpose && <JoinForm link={link} purpose={purpose} onEnter={enter} />}
        {!purpose && !problem && <p class="loading">Checking the link…</p>}
        {problem && (
          <>
            <Notice kind="bad">{problem}</Notice>
            <p class="soft small">
              A link works once and expires after seven days. If you have already set a password, sign in.
            </p>
            <div class="row">
              <ButtonLink href="/">Sign in</ButtonLink>
            </div>
          </>
        )}
      </Card>
    </main>
  );
}

function titleOf(purpose: LinkPurpose | null, refused: boolean): string {
  if (refused && !purpose) return "This link is not valid";
  return purpose?.name ? `Welcome, ${purpose.name}` : "Welcome to Quorate";
}
