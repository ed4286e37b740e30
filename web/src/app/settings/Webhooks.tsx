import { useState } from "preact/hooks";
import { call, get, type NewWebhook, post, useLoaded, useSending, type Webhook } from "../../api";
import { Button, Card, Copy, Empty, Field, Notice } from "../../ui";
import { Check } from "../forms/Check";
import { useForm } from "../forms/useForm";
import { useProject } from "../project-context";
import { Deliveries } from "./Deliveries";
import { KINDS, kindName } from "./webhook-text";

/** The webhooks of the project. */
export function Webhooks() {
  const { project } = useProject();
  const at = `/api/projects/${project.id}/webhooks`;
  const { data, problem, reload } = useLoaded<Webhook[]>(at);
  return (
    <div class="stack settings">
      <Add at={at} onAdded={reload} />
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      {data?.length === 0 && (
        <Empty>
          <p>No webhooks. Add one to send events, such as decisions, to your own server.</p>
        </Empty>
      )}
      {data?.map((webhook) => (
        <WebhookCard key={webhook.id} at={`${at}/${webhook.id}`} webhook={webhook} onChanged={reload} />
      ))}
    </div>
  );
}

function Add({ at, onAdded }: { at: string; onAdded: () => void }) {
  const initial = { url: "", kinds: ["item.decided", "project.completed"] };
  const { values, set, field, submit, busy, problem } = useForm(initial);
  const { kinds } = values;
  const [secret, setSecret] = useState<string | null>(null);
  const add = submit(
    () => post<NewWebhook>(at, { url: values.url.trim(), kinds }),
    (created) => {
      setSecret(created.secret);
      set({ url: "" });
      onAdded();
    },
  );
  return (
    <Card title="Add webhook">
      <form class="stack" onSubmit={add}>
        <Field
          label="URL"
          type="url"
          placeholder="https://example.org/hook"
          required
          wrong={problem}
          {...field("url")}
        />
        <fieldset class="two-fields">
          <legend>Events</legend>
          {KINDS.map(([kind, called]) => (
            <Check
              key={kind}
              label={called}
              checked={kinds.includes(kind)}
              onChange={(on) => set({ kinds: on ? [...kinds, kind] : kinds.filter((name) => name !== kind) })}
            />
          ))}
        </fieldset>
        <div class="row">
          <Button type="submit" look="main" busy={busy} disabled={!kinds.length}>
            Add webhook
          </Button>
        </div>
      </form>
      {secret && (
        <Copy label="Signing secret" text={secret} hint="Use it to verify the signature of webhook requests." />
      )}
    </Card>
  );
}

function WebhookCard({ at, webhook, onChanged }: { at: string; webhook: Webhook; onChanged: () => void }) {
  const { problem, send } = useSending();
  const [turn, setTurn] = useState(0);
  const [secret, setSecret] = useState<string | null>(null);
  const active = webhook.state === "active";
  const doing = (work: Promise<unknown>) =>
    send(work, () => {
      setTurn((n) => n + 1);
      onChanged();
    });
  const show = () => send(get<{ secret: string }>(`${at}/secret`), (answer) => setSecret(answer.secret));
  return (
    <Card>
      <div class="row apart">
        <h2 class="address">{webhook.url}</h2>
        <span class="badge" style={{ "--tone": active ? "var(--good)" : "var(--open)" }}>
          {active ? "On" : "Off"}
        </span>
      </div>
      <p class="soft small">{webhook.kinds.map(kindName).join(" · ")}</p>
      <div class="row">
        <Button small disabled={!active} onClick={() => doing(post(`${at}/ping`))}>
          Send test event
        </Button>
        <Button small onClick={() => doing(post(`${at}/state`, { state: active ? "off" : "active" }))}>
          {active ? "Turn off" : "Turn on"}
        </Button>
        <Button small onClick={show}>
          Show secret
        </Button>
        <Button small look="danger" onClick={() => doing(call("DELETE", at))}>
          Delete
        </Button>
      </div>
      {secret && <Copy label="Signing secret" text={secret} hint="Keep it secret, like a password." />}
      {problem && <Notice kind="bad">{problem}</Notice>}
      <Deliveries at={`${at}/deliveries`} turn={turn} active={active} />
    </Card>
  );
}
