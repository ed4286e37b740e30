import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { positionAt, type ScrollPosition, type Sizes, scrolled, scrollToRow } from "./scaling";

const REST_MS = 150;
const HAS_SCROLLEND = "onscrollend" in window;

export interface Scrolling {
  /** The element that scrolls, and the header above its rows. */
  box: RefObject<HTMLDivElement | null>;
  head: RefObject<HTMLDivElement | null>;
  view: number;
  position: ScrollPosition;
  onScroll: () => void;
  /** Called when scrolling ends; older browsers do not report it. */
  onScrollEnd: () => void;
  show: (row: number) => void;
}

/** Keeps the scroll position of a list as the bar, the keys and the size change it. start: the first row to show. */
export function useScrolling(total: number, rowHeight: number, start: number): Scrolling {
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const view = useView(box, head);
  const [position, setPosition] = useState<ScrollPosition>({ top: 0, scroll: 0 });
  const sizes: Sizes = { whole: total * rowHeight, view };
  const put = (next: ScrollPosition) => {
    setPosition(next);
    if (box.current && Math.abs(box.current.scrollTop - next.scroll) >= 1) box.current.scrollTop = next.scroll;
  };
  const seen = useRef({ row: start, rowHeight: 0 });
  useLayoutEffect(() => {
    if (!view || seen.current.rowHeight === rowHeight) return;
    put(positionAt(seen.current.row * rowHeight - (seen.current.rowHeight ? 0 : view / 3), sizes));
    seen.current.rowHeight = rowHeight;
  }, [view, rowHeight]);
  const rest = () => {
    const moves = Math.abs((box.current?.scrollTop ?? 0) - position.scroll) >= 1; // scrolling has resumed
    if (!moves) put(positionAt(position.top, sizes)); // move the bar to its exact position
  };
  useEffect(() => {
    seen.current.row = position.top / rowHeight;
    if (HAS_SCROLLEND) return;
    const soon = setTimeout(rest, REST_MS);
    return () => clearTimeout(soon);
  }, [position, total]);
  return {
    box,
    head,
    view,
    position,
    onScroll: () => setPosition((was) => scrolled(was, box.current?.scrollTop ?? 0, sizes)),
    onScrollEnd: rest,
    show: (row) => put(scrollToRow(row, rowHeight, position, sizes)),
  };
}

/** Returns the height of the visible rows as it changes. */
function useView(box: RefObject<HTMLDivElement | null>, head: RefObject<HTMLDivElement | null>): number {
  const [view, setView] = useState(0);
  useLayoutEffect(() => {
    const list = box.current;
    if (!list) return;
    const look = () => setView(list.clientHeight - (head.current?.offsetHeight ?? 0));
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(list);
    return () => sizes.disconnect();
  }, [box, head]);
  return view;
}
