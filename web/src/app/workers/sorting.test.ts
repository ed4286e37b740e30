import { describe, expect, it } from "vitest";
import type { Worker } from "../../api";
import { formatOrder, nextOrder, parseOrder, sortWorkers } from "./sorting";

const worker = (id: number, fields: Partial<Worker>) => ({ id, code: `v${id}`, ...fields }) as Worker;
const people = [
  worker(1, { votes: 5, spam: null, skill: { value: 0.7, low: 0.6, high: 0.8 } }),
  worker(2, { votes: 9, spam: 0.8, skill: null }),
  worker(3, { votes: 5, spam: 0.1, skill: { value: 0.9, low: 0.8, high: 1 } }),
];
const ids = (workers: Worker[]) => workers.map((worker) => worker.id);

describe("workers in order", () => {
  it("puts the most first, and equals as they came", () => {
    expect(ids(sortWorkers(people, { by: "votes", down: true }))).toEqual([2, 1, 3]);
  });
  it("puts those of whom it is not known last, either way", () => {
    expect(ids(sortWorkers(people, { by: "spam", down: true }))).toEqual([2, 3, 1]);
    expect(ids(sortWorkers(people, { by: "spam", down: false }))).toEqual([3, 2, 1]);
    expect(ids(sortWorkers(people, { by: "skill", down: true }))).toEqual([3, 1, 2]);
  });
  it("takes words by the alphabet", () => {
    expect(ids(sortWorkers(people, { by: "code", down: true }))).toEqual([3, 2, 1]);
  });
});

describe("the order in the address", () => {
  it("comes back as it went in", () => {
    expect(parseOrder(formatOrder({ by: "spam", down: true }))).toEqual({ by: "spam", down: true });
    expect(parseOrder(formatOrder({ by: "code", down: false }))).toEqual({ by: "code", down: false });
  });
  it("is by votes where nothing else is said", () => {
    expect([parseOrder(null), parseOrder("shoe size")]).toEqual([
      { by: "votes", down: true },
      { by: "votes", down: true },
    ]);
  });
  it("turns round when the same name is pressed again", () => {
    expect(nextOrder({ by: "votes", down: true }, "votes")).toEqual({ by: "votes", down: false });
    expect(nextOrder({ by: "votes", down: true }, "seconds")).toEqual({ by: "seconds", down: false });
  });
});
