import { useState } from "preact/hooks";
import { call, useLoaded, useSending } from "../../api";
import { Button, Card, Copy, Notice, Scroller } from "../../ui";
import { moment } from "../../ui/format";
import { NewToken } from "./NewToken";
import { SCOPE_WORDS } from "./words";
import "./account.css";

interface Token {
  id: number;
  name: string | null;
  scopes: string[];
  project_id: number | null;
  created_at: number;
  expires_at: number | null;
}

/** Tokens, by which programs act as this account; with a project, those that are good in it alone. */
export function Tokens({ project }: { project?: number }) {
  const { data, problem, reload } = useLoaded<Token[]>("/api/tokens");
  const [made, setMade] = useState<string | null>(null);
  const { problem: refused, send } = useSending();
  const shown = data?.filter((one) => project === undefined || one.project_id === project);
  const told = problem?.message ?? refused;
  return (
    <Card title="Tokens">
      <p class="soft">
        For programs that work on your behalf{project !== undefined && ", in this project alone"}. A token is shown
        once, when it is made.
      </p>
      {told && <Notice kind="bad">{told}</Notice>}
      {made && <Copy label="Your new token" text={made} hint="Keep it now: it is not shown again." />}
      {shown?.length === 0 && <p class="soft">No tokens yet.</p>}
      {shown && shown.length > 0 && (
        <TokenTable tokens={shown} onEnd={(id) => send(call("DELETE", `/api/tokens/${id}`), reload)} />
      )}
      <NewToken
        project={project}
        onMade={(token) => {
          setMade(token);
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
            <th>May</th>
            <th class="made">Made</th>
            <th>Ends</th>
            <th>
              <span class="unseen">End it</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((one) => (
            <tr key={one.id}>
              <td>{one.name ?? "–"}</td>
              <td>
                {one.scopes.map((scope) => SCOPE_WORDS[scope] ?? scope).join("; ")}
                {one.project_id !== null && ` (project ${one.project_id} only)`}
              </td>
              <td class="made">{moment(one.created_at)}</td>
              <td>{one.expires_at === null ? "never" : moment(one.expires_at)}</td>
              <td class="number">
                <Button small look="danger" onClick={() => onEnd(one.id)}>
                  End<span class="unseen"> {one.name}</span>
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
