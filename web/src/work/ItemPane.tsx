import { useLayoutEffect, useRef } from "preact/hooks";
import type { Lease } from "../api/types";
import { ItemView } from "../item/ItemView";
import { questionText } from "./text";
import type { CurrentItem } from "./useCurrentItem";
import { useKeys } from "./useKeys";

interface Props {
  current: CurrentItem;
  /** The next item: frames are loaded ahead, hidden. */
  next: Lease | undefined;
  step: string;
  base: (task: number) => string;
}

/** The question and the item. */
export function ItemPane({ current, next, step, base }: Props) {
  const { lease, question } = current;
  const ahead = next?.item.kind === "html" && next.item.id !== lease.item.id ? [next] : [];
  const top = useRef<HTMLDivElement>(null);
  // a new item starts at its top, without a focus ring on the button that was pressed before
  useLayoutEffect(() => {
    top.current?.scrollTo(0, 0);
    dropPointed();
  }, [lease.lease]);
  const scroll = (share: number) => () => top.current?.scrollBy(0, share * top.current.clientHeight);
  useKeys({ arrowdown: scroll(0.25), arrowup: scroll(-0.25), pagedown: scroll(0.9), pageup: scroll(-0.9) });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
    <section class="item-pane" ref={top} tabIndex={0} aria-label="Item">
      <h2 class="question">
        {step && <span class="soft">{step} </span>}
        {questionText(question)}
      </h2>
      {[lease, ...ahead].map((shown) => (
        <div key={shown.item.id} hidden={shown !== lease} class="shown">
          <ItemView item={shown.item} name={String(shown.item.id)} base={base(shown.task)} />
        </div>
      ))}
    </section>
  );
}

/** Removes the focus of a button pressed by mouse or touch; keyboard focus stays. */
function dropPointed(): void {
  const pressed = document.activeElement;
  if (pressed instanceof HTMLElement && pressed.closest(".answer-bar") && !pressed.matches(":focus-visible"))
    pressed.blur();
}
