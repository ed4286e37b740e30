import { useLayoutEffect, useRef } from "preact/hooks";
import type { Lease } from "../api/types";
import { ItemView } from "../item/ItemView";
import { questionText } from "./text";
import type { CurrentItem } from "./useCurrentItem";
import { useKeys } from "./useKeys";

interface Props {
  current: CurrentItem;
  /** What comes next: frames are loaded ahead, out of sight. */
  next: Lease | undefined;
  step: string;
  base: (task: number) => string;
}

/** The item and the question, one of each. */
export function ItemPane({ current, next, step, base }: Props) {
  const { lease, question } = current;
  const ahead = next?.item.kind === "html" && next.item.id !== lease.item.id ? [next] : [];
  const top = useRef<HTMLDivElement>(null);
  // a new item is read from its beginning, and no answer to it is suggested by a ring around what was pressed before
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

/** Let the focus go from what was pressed by a mouse or finger; who goes by keys keeps their place. */
function dropPointed(): void {
  const pressed = document.activeElement;
  if (pressed instanceof HTMLElement && pressed.closest(".answer-bar") && !pressed.matches(":focus-visible"))
    pressed.blur();
}
