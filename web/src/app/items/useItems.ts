import { useEffect, useMemo, useState } from "preact/hooks";
import { get, type ItemPage, type ItemRow } from "../../api";
import type { ItemQuery } from "./filters";
import { Pages } from "./pages";

const SOON_MS = 40;

export interface ItemList {
  total: number | null;
  exact: boolean;
  problem: Error | null;
  row: (index: number) => ItemRow | undefined;
  /** Fetches the visible rows, unless others follow quickly. */
  see: (first: number, end: number) => void;
  again: () => void;
  refresh: () => void;
}

export function listPath(project: number, asked: Omit<ItemQuery, "at">, offset: number, n: number): string {
  const { filter, question, search } = asked;
  const query = new URLSearchParams({ filter, question, offset: String(offset), n: String(n) });
  if (search) query.set("search", search);
  return `/api/projects/${project}/items?${query}`;
}

/** Loads the items of a query, a page at a time. */
export function useItems(project: number, { filter, question, search, at }: ItemQuery): ItemList {
  const [, redraw] = useState(0);
  const pages = useMemo(
    () =>
      new Pages<ItemRow>(
        (offset, n, signal) => get<ItemPage>(listPath(project, { filter, question, search }, offset, n), signal),
        () => redraw((n) => n + 1),
      ),
    [project, filter, question, search],
  );
  const soon = useMemo(() => debounce((first: number, end: number) => pages.want(first, end)), [pages]);
  useEffect(() => {
    pages.want(at, at + 1);
    return () => {
      soon.cancel();
      pages.close();
    };
  }, [pages]);
  const again = () => {
    pages.forget();
    pages.want(at, at + 1);
    redraw((n) => n + 1);
  };
  return {
    total: pages.total,
    exact: pages.exact,
    problem: pages.problem,
    row: (index) => pages.row(index),
    see: soon.call,
    again,
    refresh: () => pages.refresh(),
  };
}

/** Delays a call; of several calls in quick succession only the last one runs. */
function debounce(call: (first: number, end: number) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    call: (first: number, end: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => call(first, end), SOON_MS);
    },
    cancel: () => clearTimeout(timer),
  };
}
