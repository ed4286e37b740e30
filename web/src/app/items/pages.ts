/** Rows of a long list, fetched a page at a time: what is looked at, and what comes next. */
export const PAGE = 100;
const MAX_PAGES = 30;

export interface Fetched<Row> {
  items: Row[];
  total: number | null;
  next: string | null;
}

export type FetchPage<Row> = (offset: number, n: number, signal: AbortSignal) => Promise<Fetched<Row>>;

/** The pages of rows from `first` up to `end`. */
export function pagesOf(first: number, end: number): number[] {
  const pages: number[] = [];
  for (let page = Math.floor(first / PAGE); page * PAGE < end; page++) pages.push(page);
  return pages;
}

/** Keeps the pages used last; a request for rows that were scrolled past is given up. */
export class Pages<Row> {
  /** How many rows there are: `exact`, or at least so many. */
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

  /** These rows are looked at now. */
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

  /** All is fetched anew when it is next wanted. */
  forget(): void {
    this.problem = null;
    this.kept.clear();
  }

  /** Something may have changed: what is looked at stays in view and is fetched anew; the rest, when it is wanted. */
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

  /** Where the service does not count, the list goes on beyond the last row that is known, until the end is seen. */
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
