import { expect, it } from "vitest";
import { neighbours } from "./neighbours";

const rows = [{ id: 70 }, { id: 71 }, { id: 72 }];

it("knows the items on both sides", () => {
  expect(neighbours(rows, 6, 71, 7)).toEqual({ before: { id: 70, at: 6 }, after: { id: 72, at: 8 } });
});
it("ends at the ends of the list", () => {
  expect(neighbours(rows, 0, 70, 0)).toEqual({ before: null, after: { id: 71, at: 1 } });
  expect(neighbours(rows, 6, 72, 8)).toEqual({ before: { id: 71, at: 7 }, after: null });
});
it("goes on from where an item was that has left the list", () => {
  expect(neighbours(rows, 6, 99, 7)).toEqual({ before: { id: 70, at: 6 }, after: { id: 71, at: 7 } });
  expect(neighbours([], 0, 99, 0)).toEqual({ before: null, after: null });
});
