import { useEffect } from "preact/hooks";
import { type Delivery, post, useLoaded, useSending } from "../../api";
import { Button, Notice } from "../../ui";
import { deliveryText, deliveryTone, kindName, subjectText } from "./webhook-text";

const POLL_MS = 2000; // between two requests while deliveries are pending

/** The deliveries of a webhook, newest first. turn: rises when there are new ones. */
export function Deliveries({ at, turn, active }: { at: string; turn: number; active: boolean }) {
  const { data, problem, reload } = useLoaded<Delivery[]>(at);
  const { problem: refused, send } = useSending();
  const moving = data?.some((delivery) => delivery.delivered_at === null && delivery.due_at !== null) ?? false;
  useEffect(() => {
    if (turn) reload();
  }, [turn]);
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [moving]);
  const again = (delivery: Delivery) => send(post(`${at}/${delivery.id}/redeliver`), reload);
  if (problem) return <Notice kind="bad">{problem.message}</Notice>;
  if (!data?.length) return <p class="soft small">No deliveries yet.</p>;
  const now = Date.now() / 1000;
  return (
    <>
      {refused && <Notice kind="bad">{refused}</Notice>}
      <ul class="deliveries" aria-label="Deliveries">
        {data.map((delivery) => (
          <li key={delivery.id}>
            <span class={`dot ${deliveryTone(delivery)}`} aria-hidden="true" />
            <div>
              {kindName(delivery.kind)} <span class="soft small">{subjectText(delivery)}</span>
              <div class="small">
                {deliveryText(delivery, now)}
                {delivery.answer && <span class="soft"> ({delivery.answer})</span>}
              </div>
            </div>
            <Button small look="plain" disabled={!active} onClick={() => again(delivery)}>
              Redeliver
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
