import { useEffect, useRef, useState } from "preact/hooks";
import type { Lease } from "../api/types";
import { addressOf } from "../item/address";
import { Button } from "../ui/Button";
import { Answers } from "./Answers";
import { Key } from "./Key";
import type { Turn } from "./useCurrentItem";
import { useKeys } from "./useKeys";
import { asked, plural } from "./words";
import "./grid.css";

interface Props {
  turn: Turn;
  base: (task: number) => string;
}

/** Many images at once: choose an answer, give it to images, send them all. */
export function Grid({ turn, base }: Props) {
  const { images: leases, question, keys } = turn;
  const [active, setActive] = useState<string | null>(null);
  const [given, setGiven] = useState<ReadonlyMap<number, string>>(new Map());
  const tiles = useRef<HTMLDivElement>(null);
  const ready = leases.flatMap((one) => (given.has(one.lease) ? [[one, given.get(one.lease)] as [Lease, string]] : []));
  const give = (lease: number) =>
    setGiven((now) => {
      const next = new Map(now);
      if (active === null || now.get(lease) === active) next.delete(lease);
      else next.set(lease, active);
      return next;
    });
  const choose = (label: string) => {
    setActive(label);
    const lease = Number((document.activeElement as HTMLElement | null)?.dataset.lease);
    if (lease) setGiven((now) => new Map(now).set(lease, label));
  };
  const send = () => {
    turn.giveAll(ready);
    setGiven(new Map());
  };
  const rest = (label: string) =>
    setGiven((now) => new Map([...leases.map((one): [number, string] => [one.lease, label]), ...now]));
  const pressed = question.classes.map((one, place) => [keys[place] ?? "", () => choose(one.name)] as const);
  useKeys({ ...Object.fromEntries(pressed), ...arrows(tiles) });
  useSend(send, ready.length > 0);
  return (
    <div class="grid-mode">
      <h2 class="question">{asked(question)}</h2>
      <div class="tiles" ref={tiles}>
        {leases.map((one, place) => (
          <button
            key={one.lease}
            type="button"
            class="tile"
            data-lease={one.lease}
            aria-pressed={given.has(one.lease)}
            aria-label={`Image ${place + 1}: ${given.get(one.lease) ?? "no answer yet"}`}
            onClick={(event) => {
              give(one.lease);
              if (event.detail) event.currentTarget.blur(); // a key is for the image that one went to by keys
            }}
          >
            <img src={addressOf(one.item.content, base(one.task))} alt="" decoding="sync" draggable={false} />
            <span class="given">{given.get(one.lease) ?? " "}</span>
          </button>
        ))}
      </div>
      <div class="bottom">
        <p class="soft small">Choose an answer, then tap the images that it fits. Send them when you are content.</p>
        <Answers classes={question.classes} keys={keys} chosen={active} onChoose={choose} />
        <div class="row big pair">
          <Button look="main" disabled={!ready.length} onClick={send}>
            {ready.length ? `Send ${plural(ready.length, "answer")}` : "Send"} <Key name="Ctrl Enter" />
          </Button>
          {active !== null && (
            <Button onClick={() => rest(active)} disabled={ready.length === leases.length}>
              “{active}” for the rest
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

/** Arrows go from image to image. */
function arrows(tiles: { current: HTMLDivElement | null }): Record<string, () => void> {
  const step = (by: (across: number) => number) => () => {
    const all = [...(tiles.current?.querySelectorAll<HTMLElement>(".tile") ?? [])];
    const across = all.filter((one) => one.offsetTop === all[0]?.offsetTop).length;
    const now = all.indexOf(document.activeElement as HTMLElement);
    all[now < 0 ? 0 : Math.min(all.length - 1, Math.max(0, now + by(across)))]?.focus();
  };
  return {
    arrowright: step(() => 1),
    arrowleft: step(() => -1),
    arrowdown: step((across) => across),
    arrowup: step((across) => -across),
  };
}

function useSend(send: () => void, any: boolean): void {
  const latest = useRef(send);
  latest.current = any ? send : () => {};
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !event.ctrlKey) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}
