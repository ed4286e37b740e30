import { useState } from "preact/hooks";
import { call, type Token, useLoaded, useSending } from "../../api";
import { Button, Card, Copy, Notice, Scroller } from "../../ui";
import { moment } from "../../ui/format";
import { NewToken } from "./NewToken";
import { SCOPES } from "./roles";
import "./account.css";

/** The API tokens of the account; with a project, only tokens restricted to it. */
export function Tokens({ project }: { project?: number }) {
  const { data, problem, reload } = useLoaded<Token[]>("/api/tokens");
  const [newToken, setNewToken] = useState<string | null>(null);
  const { problem: refused, send } = useSending();
  const shown = data?.filter((token) => project === undefined || token.project_id === project);
  const message = problem?.message ?? refused;
  return (
    <Card title="API tokens">
      <p class="soft">
        Programs use tokens to act on your behalf{project !== undefined && ", in this project only"}. A token is shown
        only once, when it is created.
      </p>
      {message && <Notice kind="bad">{message}</Notice>}
      {newToken && <Copy label="Your new token" text={newToken} hint="Copy it now: it will not be shown again." />}
      {shown?.length === 0 && <p class="soft">No tokens yet.</p>}
      {shown && shown.length > 0 && (
        <TokenTable tokens={shown} onEnd={(id) => send(call("DELETE", `/api/tokens/${id}`), reload)} />
      )}
      <NewToken
        project={project}
        onCreated={(token) => {
          setNewToken(token);
          reload();
        }}
      />
    </Card>
  );
}

function TokenTable({ tokens, onEnd }: { tokens: Token[]; onEnd: (id: number) => void }) {
  return (
    <Scroller label="Tokens">
      <table class="table stacks">
        <thead>
          <tr>
            <th>Name</th>
            <th>Scopes</th>
            <th class="created">Created</th>
            <th>Expires</th>
            <th>
              <span class="unseen">Revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <td>{token.name ?? "–"}</td>
              <td>
                {token.scopes.map((scope) => SCOPES[scope] ?? scope).join("; ")}
                {token.project_id !== null && ` (project ${token.project_id} only)`}
              </td>
              <td class="created">{moment(token.created_at)}</td>
              <td>{token.expires_at === null ? "Never" : moment(token.expires_at)}</td>
              <td class="number">
                <Button small look="danger" onClick={() => onEnd(token.id)}>
                  Revoke<span class="unseen"> {token.name}</span>
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
