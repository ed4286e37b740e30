import { useState } from "preact/hooks";
import { call, type Member, post, useLoaded, useSending } from "../../api";
import { Button, Card, Choice, Dialog, Empty, Field, Notice, Scroller } from "../../ui";
import { useForm } from "../forms/useForm";
import { useProject } from "../project-context";

const ROLES: [role: string, name: string, what: string][] = [
  ["requester", "Requester", "Can view and change the project."],
  ["expert", "Expert", "Votes on items the crowd cannot decide."],
  ["worker", "Worker", "Votes on items."],
];

/** The accounts that are members of the project. */
export function Members() {
  const { project } = useProject();
  const at = `/api/projects/${project.id}/members`;
  const { data, problem, reload } = useLoaded<Member[]>(at);
  const { problem: refused, send } = useSending();
  const [leaving, setLeaving] = useState<Member | null>(null);
  const remove = (member: Member) => {
    setLeaving(null);
    send(call("DELETE", `${at}/${member.account_id}`), reload);
  };
  return (
    <div class="stack settings">
      <Add at={at} onAdded={reload} />
      {(problem || refused) && <Notice kind="bad">{refused ?? problem?.message}</Notice>}
      {data?.length === 0 && (
        <Empty>
          <p>No members. Owners have access without being members.</p>
        </Empty>
      )}
      {data && data.length > 0 && (
        <Scroller label="Members">
          <table class="table">
            <thead>
              <tr>
                <th>Name</th>
                <th>Role</th>
                <th>
                  <span class="unseen">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((member) => (
                <tr key={member.account_id}>
                  <td>
                    {member.name}{" "}
                    {member.state !== "active" && <span class="soft small">(account {member.state})</span>}
                  </td>
                  <td>{ROLES.find(([role]) => role === member.role)?.[1] ?? member.role}</td>
                  <td class="number">
                    <Button small look="danger" aria-label={`Remove ${member.name}`} onClick={() => setLeaving(member)}>
                      Remove
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroller>
      )}
      {leaving && <Remove member={leaving} onYes={() => remove(leaving)} onClose={() => setLeaving(null)} />}
    </div>
  );
}

function Remove({ member, onYes, onClose }: { member: Member; onYes: () => void; onClose: () => void }) {
  return (
    <Dialog title={`Remove ${member.name}?`} onClose={onClose}>
      <p>They lose access to this project. Their votes and changes are kept. You can add them again later.</p>
      <div class="row">
        <Button look="danger" onClick={onYes}>
          Remove
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

function Add({ at, onAdded }: { at: string; onAdded: () => void }) {
  const { values, set, field, submit, busy, problem } = useForm({ name: "", role: "requester" });
  const add = submit(
    () => post(at, { ...values, name: values.name.trim() }),
    () => {
      set({ name: "" });
      onAdded();
    },
  );
  return (
    <Card title="Add member">
      <form class="line-form" onSubmit={add}>
        <Field
          label="Account"
          hint="Username or e-mail of an existing account. Owners create accounts on their account page."
          required
          wrong={problem}
          {...field("name")}
        />
        <Choice label="Role" hint={ROLES.find(([name]) => name === values.role)?.[2]} {...field("role")}>
          {ROLES.map(([value, called]) => (
            <option key={value} value={value}>
              {called}
            </option>
          ))}
        </Choice>
        <Button type="submit" look="main" busy={busy}>
          Add
        </Button>
      </form>
    </Card>
  );
}
