import { useState } from "preact/hooks";
import { type Account, type Invitation, post, type Session, useLoaded, useSending } from "../../api";
import { Button, Card, Copy, Dialog, Notice, Scroller } from "../../ui";
import { moment } from "../../ui/format";
import { InviteAccount } from "./InviteAccount";
import { ROLES } from "./roles";

/** All accounts, for owners: invite, send a new link, close. */
export function Accounts({ session }: { session: Session }) {
  const { data, problem, reload } = useLoaded<Account[]>("/api/accounts");
  const [link, setLink] = useState<{ name: string; link: string } | null>(null);
  const [closing, setClosing] = useState<Account | null>(null);
  const { problem: refused, send } = useSending();
  const renew = ({ id, name }: Account) =>
    send(post<Invitation>(`/api/accounts/${id}/link`), ({ link }) => setLink({ name, link }));
  const close = (row: Account) => {
    setClosing(null);
    send(post(`/api/accounts/${row.id}/close`), reload);
  };
  const message = problem?.message ?? refused;
  return (
    <Card title="Accounts">
      {message && <Notice kind="bad">{message}</Notice>}
      {data && <AccountTable rows={data} own={session.account_id} onLink={renew} onClose={setClosing} />}
      {link && (
        <Copy
          label={`Link for ${link.name}`}
          text={link.link}
          hint="Use it to set a password. It works once and expires after seven days. Send it privately."
        />
      )}
      <InviteAccount
        onCreated={(name, invited) => {
          setLink({ name, link: invited.link });
          reload();
        }}
      />
      {closing && <Close row={closing} onYes={() => close(closing)} onNo={() => setClosing(null)} />}
    </Card>
  );
}

function Close({ row, onYes, onNo }: { row: Account; onYes: () => void; onNo: () => void }) {
  return (
    <Dialog title={`Close ${row.name}’s account?`} onClose={onNo}>
      <p>
        All sessions and tokens are revoked immediately. Projects and votes are kept. A closed account cannot be
        reopened.
      </p>
      <div class="row">
        <Button look="danger" onClick={onYes}>
          Close account
        </Button>
        <Button onClick={onNo}>Cancel</Button>
      </div>
    </Dialog>
  );
}

interface TableProps {
  rows: Account[];
  own: number | null;
  onLink: (row: Account) => void;
  onClose: (row: Account) => void;
}

function AccountTable({ rows, own, onLink, onClose }: TableProps) {
  return (
    <Scroller label="Accounts">
      <table class="table stacks">
        <thead>
          <tr>
            <th>Name</th>
            <th>Role</th>
            <th>State</th>
            <th class="created">Created</th>
            <th>
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>{row.name}</td>
              <td>{ROLES[row.role]?.name}</td>
              <td>{accountState(row)}</td>
              <td class="created">{moment(row.created_at)}</td>
              <td class="number">
                {row.id !== own && row.state !== "closed" && (
                  <>
                    <Button small look="plain" onClick={() => onLink(row)}>
                      New link<span class="unseen"> for {row.name}</span>
                    </Button>{" "}
                    <Button small look="danger" onClick={() => onClose(row)}>
                      Close<span class="unseen"> {row.name}</span>
                    </Button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

function accountState(row: Account): string {
  if (row.state === "closed") return "Closed";
  return row.has_password ? "Active" : "Invited";
}
