/** The position of a list of any length in a scroll bar of limited length.
 *
 * Browsers limit the height of an element, so beyond MOST_PX the bar is shorter than the list. Small
 * moves (wheel, touch) move the list by as many pixels as the bar; large ones (dragging) by the same share.
 */
export const MOST_PX = 10_000_000;
const SMALL_MOVE = 2000;

/** top: pixels of the list above the view. scroll: pixels of the bar above it. */
export interface ScrollPosition {
  top: number;
  scroll: number;
}

/** whole: height of all rows. view: height of the visible rows. */
export interface Sizes {
  whole: number;
  view: number;
}

export function barHeight(whole: number): number {
  return Math.min(whole, MOST_PX);
}

/** Returns a position in the list with the matching position of the bar. */
export function positionAt(top: number, { whole, view }: Sizes): ScrollPosition {
  const longest = Math.max(0, whole - view);
  const kept = Math.min(Math.max(0, top), longest);
  const bar = Math.max(0, barHeight(whole) - view);
  return { top: kept, scroll: longest === bar ? kept : Math.round((kept / longest) * bar) };
}

/** Returns the position after the bar was moved. */
export function scrolled(was: ScrollPosition, scroll: number, { whole, view }: Sizes): ScrollPosition {
  const longest = Math.max(0, whole - view);
  const bar = Math.max(0, barHeight(whole) - view);
  const move = scroll - was.scroll;
  if (longest === bar) return { top: scroll, scroll };
  if (scroll <= 0) return { top: 0, scroll };
  if (scroll >= bar) return { top: longest, scroll };
  const top = Math.abs(move) <= Math.max(SMALL_MOVE, view) ? was.top + move : (scroll / bar) * longest;
  return { top: Math.min(Math.max(0, top), longest), scroll };
}

/** Returns the nearest position that shows a row. */
export function scrollToRow(row: number, rowHeight: number, was: ScrollPosition, sizes: Sizes): ScrollPosition {
  const above = row * rowHeight;
  const below = above + rowHeight - sizes.view;
  if (above < was.top) return positionAt(above, sizes);
  return below > was.top ? positionAt(below, sizes) : was;
}

/** Returns the rows to render, including some beyond the edges. */
export function rowsIn(
  { top }: ScrollPosition,
  view: number,
  rowHeight: number,
  total: number,
  more = 6,
): [number, number] {
  const first = Math.max(0, Math.floor(top / rowHeight) - more);
  const last = Math.min(total, Math.ceil((top + view) / rowHeight) + more);
  return [Math.min(first, last), last];
}
