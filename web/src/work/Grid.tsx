import { useEffect, useRef, useState } from "preact/hooks";
import type { Lease } from "../api/types";
import { addressOf } from "../item/address";
import { Button } from "../ui/Button";
import { Answers } from "./Answers";
import { Key } from "./Key";
import { plural, questionText } from "./text";
import type { CurrentItem } from "./useCurrentItem";
import { useKeys } from "./useKeys";
import "./grid.css";

interface Props {
  current: CurrentItem;
  base: (task: number) => string;
}

/** A grid of images: choose an answer, apply it to images, submit all. */
export function Grid({ current, base }: Props) {
  const { images: leases, question, keys } = current;
  const [active, setActive] = useState<string | null>(null);
  const [answers, setAnswers] = useState<ReadonlyMap<number, string>>(new Map());
  const tiles = useRef<HTMLDivElement>(null);
  const ready = leases.flatMap((lease) =>
    answers.has(lease.lease) ? [[lease, answers.get(lease.lease)] as [Lease, string]] : [],
  );
  const give = (lease: number) =>
    setAnswers((now) => {
      const next = new Map(now);
      if (active === null || now.get(lease) === active) next.delete(lease);
      else next.set(lease, active);
      return next;
    });
  const choose = (label: string) => {
    setActive(label);
    const lease = Number((document.activeElement as HTMLElement | null)?.dataset.lease);
    if (lease) setAnswers((now) => new Map(now).set(lease, label));
  };
  const send = () => {
    current.giveAll(ready);
    setAnswers(new Map());
  };
  const rest = (label: string) =>
    setAnswers((now) => new Map([...leases.map((lease): [number, string] => [lease.lease, label]), ...now]));
  const pressed = question.classes.map((spec, index) => [keys[index] ?? "", () => choose(spec.name)] as const);
  useKeys({ ...Object.fromEntries(pressed), ...arrows(tiles) });
  useSend(send, ready.length > 0);
  return (
    <div class="grid-mode">
      <h2 class="question">{questionText(question)}</h2>
      <div class="tiles" ref={tiles}>
        {leases.map((lease, index) => (
          <button
            key={lease.lease}
            type="button"
            class="tile"
            data-lease={lease.lease}
            aria-pressed={answers.has(lease.lease)}
            aria-label={`Image ${index + 1}: ${answers.get(lease.lease) ?? "not answered"}`}
            onClick={(event) => {
              give(lease.lease);
              if (event.detail) event.currentTarget.blur(); // keys apply only to images focused with the keyboard
            }}
          >
            <img src={addressOf(lease.item.content, base(lease.task))} alt="" decoding="sync" draggable={false} />
            <span class="tile-answer">{answers.get(lease.lease) ?? " "}</span>
          </button>
        ))}
      </div>
      <div class="answer-bar">
        <p class="soft small">Choose an answer, then select the images it applies to. Submit when you are done.</p>
        <Answers classes={question.classes} keys={keys} chosen={active} onChoose={choose} />
        <div class="row big pair">
          <Button look="main" disabled={!ready.length} onClick={send}>
            {ready.length ? `Submit ${plural(ready.length, "answer")}` : "Submit"} <Key name="Ctrl Enter" />
          </Button>
          {active !== null && (
            <Button onClick={() => rest(active)} disabled={ready.length === leases.length}>
              Label the rest “{active}”
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

/** Arrow keys move between images. */
function arrows(tiles: { current: HTMLDivElement | null }): Record<string, () => void> {
  const step = (by: (across: number) => number) => () => {
    const all = [...(tiles.current?.querySelectorAll<HTMLElement>(".tile") ?? [])];
    const across = all.filter((tile) => tile.offsetTop === all[0]?.offsetTop).length;
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
