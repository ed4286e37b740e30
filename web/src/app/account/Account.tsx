import type { Session } from "../../api";
import { Accounts } from "./Accounts";
import { Password } from "./Password";
import { ROLES } from "./roles";
import { Tokens } from "./Tokens";
import "./account.css";

/** The own account, and for owners all accounts. */
export function Account({ session }: { session: Session }) {
  return (
    <>
      <div class="row">
        <h1>{session.name}</h1>
        <span class="soft">{ROLES[session.role]?.name}</span>
      </div>
      {session.role === "owner" && <Accounts session={session} />}
      <Tokens />
      <Password session={session} />
    </>
  );
}
