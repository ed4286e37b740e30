import { describe, expect, it } from "vitest";
import { type Fetched, PAGE, Pages, pagesOf } from "./pages";

interface Asked {
  offset: number;
  signal: AbortSignal;
  answer: (total?: number | null, last?: number) => Promise<void>;
  fail: () => Promise<void>;
}

function list() {
  const asked: Asked[] = [];
  let changes = 0;
  const pages = new Pages<number>(
    (offset, n, signal) =>
      new Promise<Fetched<number>>((resolve, reject) => {
        const items = Array.from({ length: n }, (_, i) => offset + i);
        signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
        asked.push({
          offset,
          signal,
          answer: async (total = 100_000, last) => {
            resolve({ items: items.slice(0, last), total, next: last === undefined ? "more" : null });
            await Promise.resolve().then(() => {});
          },
          fail: async () => {
            reject(new Error("lost"));
            await Promise.resolve().then(() => {});
          },
        });
      }),
    () => changes++,
  );
  return { pages, asked, changes: () => changes };
}

describe("pages of rows", () => {
  it("are those that the rows lie in", () => {
    expect(pagesOf(0, 20)).toEqual([0]);
    expect(pagesOf(95, 105)).toEqual([0, 1]);
    expect(pagesOf(100, 200)).toEqual([1]);
    expect(pagesOf(0, 0)).toEqual([]);
  });
});

describe("a list fetched by pages", () => {
  it("asks for a page once, and knows its rows then", async () => {
    const { pages, asked, changes } = list();
    pages.want(0, 20);
    pages.want(3, 23);
    expect(asked.map((request) => request.offset)).toEqual([0]);
    expect(pages.row(7)).toBeUndefined();
    await asked[0]?.answer();
    expect([pages.row(7), pages.total, changes()]).toEqual([7, 100_000, 1]);
    pages.want(0, 20);
    expect(asked.length).toBe(1);
  });
  it("aborts requests for rows that were scrolled past", async () => {
    const { pages, asked } = list();
    pages.want(500, 520);
    pages.want(90_000, 90_020);
    expect(asked.map((request) => request.signal.aborted)).toEqual([true, false]);
    await asked[1]?.answer();
    expect(pages.row(90_003)).toBe(90_003);
    pages.want(500, 520);
    expect(asked.map((request) => request.offset)).toEqual([500, 90_000, 500]);
  });
  it("forgets the pages that were not looked at for long", async () => {
    const { pages, asked } = list();
    for (let page = 0; page < 40; page++) {
      pages.want(page * PAGE, page * PAGE + 1);
      await asked[page]?.answer();
    }
    expect(pages.row(0)).toBeUndefined();
    expect(pages.row(39 * PAGE)).toBe(39 * PAGE);
  });
  it("extends beyond the loaded rows without a total, until the end is found", async () => {
    const { pages, asked } = list();
    pages.want(0, 20);
    await asked[0]?.answer(null);
    expect([pages.total, pages.exact]).toEqual([200, false]);
    pages.want(150, 170);
    await asked[1]?.answer(null, 30);
    expect([pages.total, pages.exact]).toEqual([130, true]);
  });
  it("fetches visible rows again without removing them, and the rest when needed", async () => {
    const { pages, asked } = list();
    pages.want(0, 20);
    await asked[0]?.answer();
    pages.want(500, 520);
    await asked[1]?.answer();
    pages.refresh();
    expect([pages.row(503), pages.row(3)]).toEqual([503, undefined]);
    expect(asked.map((request) => request.offset)).toEqual([0, 500, 500]);
    await asked[2]?.answer();
    pages.want(0, 20);
    expect(asked.map((request) => request.offset)).toEqual([0, 500, 500, 0]);
  });
  it("reports a failure and asks again", async () => {
    const { pages, asked } = list();
    pages.want(0, 20);
    await asked[0]?.fail();
    expect(pages.problem?.message).toBe("lost");
    pages.want(0, 20);
    await asked[1]?.answer();
    expect(pages.problem).toBeNull();
  });
});
