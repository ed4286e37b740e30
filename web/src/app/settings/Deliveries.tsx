import { useEffect } from "preact/hooks";
import { post, useLoaded, useSending } from "../../api";
import { Button, Notice } from "../../ui";
import { aboutWords, type Delivery, deliveryTone, deliveryWords, kindWords } from "./webhookWords";

const LOOK = 2000; // milliseconds between looks while something is on its way

/** What was sent to a webhook or waits to be, the newest first. turn: rises when there is something new. */
export function Deliveries({ at, turn, active }: { at: string; turn: number; active: boolean }) {
  const { data, problem, reload } = useLoaded<Delivery[]>(at);
  const { problem: refused, send } = useSending();
  const moving = data?.some((one) => one.delivered_at === null && one.due_at !== null) ?? false;
  useEffect(() => {
    if (turn) reload();
  }, [turn]);
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(reload, LOOK);
    return () => clearInterval(timer);
  }, [moving]);
  const again = (one: Delivery) => send(post(`${at}/${one.id}/redeliver`), reload);
  if (problem) return <Notice kind="bad">{problem.message}</Notice>;
  if (!data?.length) return <p class="soft small">Nothing was sent yet.</p>;
  const now = Date.now() / 1000;
  return (
    <>
      {refused && <Notice kind="bad">{refused}</Notice>}
      <ul class="deliveries" aria-label="Deliveries">
        {data.map((one) => (
          <li key={one.id}>
            <span class={`dot ${deliveryTone(one)}`} aria-hidden="true" />
            <div>
              {kindWords(one.kind)} <span class="soft small">{aboutWords(one)}</span>
              <div class="small">
                {deliveryWords(one, now)}
                {one.answer && <span class="soft"> ({one.answer})</span>}
              </div>
            </div>
            <Button small look="plain" disabled={!active} onClick={() => again(one)}>
              Send again
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
