import type { ComponentChildren } from "preact";
import { call, type Session } from "../api";
import { Button } from "../ui";

interface Props {
  session: Session;
  onLeave: () => void;
  children: ComponentChildren;
}

/** The frame of every page: logo, account and sign-out. */
export function Shell({ session, onLeave, children }: Props) {
  const leave = async () => {
    await call("DELETE", "/api/session");
    onLeave();
  };
  return (
    <div class="shell">
      <a class="skip-link" href="#content">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="/">
          <img src="/icon.svg" alt="" width="24" height="24" />
          Quorate
        </a>
        <nav class="row" aria-label="Account">
          <a href="/account">{session.name}</a>
          <Button look="plain" small onClick={leave}>
            Sign out
          </Button>
        </nav>
      </header>
      <main id="content" class="content stack">
        {children}
      </main>
    </div>
  );
}
