/** Rows of a long list, fetched a page at a time. */
export const PAGE = 100;
const MAX_PAGES = 30;

export interface Fetched<Row> {
  items: Row[];
  total: number | null;
  next: string | null;
}

export type FetchPage<Row> = (offset: number, n: number, signal: AbortSignal) => Promise<Fetched<Row>>;

/** Returns the pages of the rows from `first` up to `end`. */
export function pagesOf(first: number, end: number): number[] {
  const pages: number[] = [];
  for (let page = Math.floor(first / PAGE); page * PAGE < end; page++) pages.push(page);
  return pages;
}

/** A cache of recently used pages; requests for rows that were scrolled past are aborted. */
export class Pages<Row> {
  /** Number of rows: exact, or a lower bound. */
  total: number | null = null;
  exact = false;
  problem: Error | null = null;
  private readonly kept = new Map<number, Row[]>();
  private wanted: number[] = [];
  private readonly flights = new Map<number, AbortController>();

  constructor(
    private readonly fetchPage: FetchPage<Row>,
    private readonly changed: () => void,
  ) {}

  row(index: number): Row | undefined {
    return this.kept.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  /** Fetches the rows that are visible now. */
  want(first: number, end: number): void {
    const pages = pagesOf(first, end);
    this.wanted = pages;
    for (const [page, flight] of this.flights) {
      if (pages.includes(page)) continue;
      flight.abort();
      this.flights.delete(page);
    }
    for (const page of pages) {
      if (this.kept.has(page)) this.touch(page);
      else if (!this.flights.has(page)) void this.fetch(page);
    }
  }

  /** Discards all pages; they are fetched again when needed. */
  forget(): void {
    this.problem = null;
    this.kept.clear();
  }

  /** Fetches the visible pages again while they stay in view; other pages are fetched again when needed. */
  refresh(): void {
    for (const page of [...this.kept.keys()]) if (!this.wanted.includes(page)) this.kept.delete(page);
    for (const page of this.wanted) if (!this.flights.has(page)) void this.fetch(page);
  }

  close(): void {
    for (const flight of this.flights.values()) flight.abort();
    this.flights.clear();
  }

  private touch(page: number): void {
    const rows = this.kept.get(page);
    if (!rows) return;
    this.kept.delete(page);
    this.kept.set(page, rows);
  }

  private async fetch(page: number): Promise<void> {
    const flight = new AbortController();
    this.flights.set(page, flight);
    try {
      this.keep(page, await this.fetchPage(page * PAGE, PAGE, flight.signal));
    } catch (error) {
      if (flight.signal.aborted) return;
      this.problem = error as Error;
    }
    if (flight.signal.aborted) return;
    this.flights.delete(page);
    this.changed();
  }

  /** Without a total from the service, the list extends beyond the last loaded row until its end is found. */
  private count(loaded: number, { total, next, items }: Fetched<Row>): void {
    if (total !== null || next === null) {
      this.exact = total !== null || items.length > 0 || loaded === 0;
      this.total = total ?? loaded;
    } else if (!this.exact) this.total = Math.max(this.total ?? 0, loaded + PAGE);
  }

  private keep(page: number, fetched: Fetched<Row>): void {
    this.problem = null;
    this.count(page * PAGE + fetched.items.length, fetched);
    this.kept.set(page, fetched.items);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MAX_PAGES) break;
      this.kept.delete(oldest);
    }
  }
}
