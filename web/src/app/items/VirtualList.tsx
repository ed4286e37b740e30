// biome-ignore-all lint/a11y: a table cannot be laid out by pixels; the roles say what it is, the list has the focus
import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { barHeight, rowsIn } from "./scaling";
import { useScrolling } from "./useScrolling";

interface Props {
  label: string;
  head: ComponentChildren;
  total: number;
  rowHeight: number;
  /** The row to show first. */
  start: number;
  row: (index: number) => ComponentChildren;
  /** Called with the visible rows, from `first` up to `end`. */
  onSee: (first: number, end: number) => void;
  onOpen: (index: number) => void;
}

/** A list of any length that renders only its visible rows. Arrow keys, Page, Home and End move; Enter opens. */
export function VirtualList({ label, head, total, rowHeight, start, row, onSee, onOpen }: Props) {
  const id = useId();
  const [active, setActive] = useState(Math.min(start, Math.max(0, total - 1)));
  const { box, head: top, view, position, onScroll, onScrollEnd, show } = useScrolling(total, rowHeight, start);
  const [first, end] = rowsIn(position, view, rowHeight, total);
  useEffect(() => onSee(first, end), [first, end]);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") return onOpen(active);
    const by = moveOf(event.key, Math.max(1, Math.floor(view / rowHeight) - 1), total);
    if (by === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = Math.min(Math.max(0, active + by), total - 1);
    setActive(next);
    show(next);
  };
  const choose = (event: MouseEvent, index: number) => {
    setActive(index);
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(index);
  };
  const shown = Array.from({ length: end - first }, (_, i) => first + i);
  return (
    <div
      ref={box}
      class="list"
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-activedescendant={active >= first && active < end ? `${id}-${active}` : undefined}
      tabIndex={0}
      onKeyDown={press}
      onScroll={onScroll}
      onScrollEnd={onScrollEnd}
    >
      <div ref={top} class="list-head" role="rowgroup">
        {head}
      </div>
      <div class="list-rows" role="rowgroup" style={{ height: `${barHeight(total * rowHeight)}px` }}>
        {shown.map((index) => (
          <div
            key={index}
            id={`${id}-${index}`}
            role="row"
            aria-rowindex={index + 2}
            aria-selected={index === active}
            class="list-row"
            style={{ height: `${rowHeight}px`, top: `${index * rowHeight + position.scroll - position.top}px` }}
            onClick={(event) => choose(event, index)}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

function moveOf(key: string, page: number, total: number): number | null {
  const moves: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -total,
    End: total,
  };
  return moves[key] ?? null;
}
