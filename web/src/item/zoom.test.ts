import { expect, it } from "vitest";
import { moved, WHOLE, zoomed } from "./zoom";

it("keeps the point under the pointer where it is", () => {
  const zoom = zoomed(WHOLE, 2, { x: 30, y: -10 });
  expect(zoom).toEqual({ scale: 2, x: -30, y: 10 });
  expect(zoomed(zoom, 0.5, { x: 5, y: 5 })).toEqual(WHOLE);
});
it("never leaves its frame", () => {
  const frame = { width: 100, height: 60 };
  expect(moved(zoomed(WHOLE, 2), { x: 999, y: -999 }, frame)).toEqual({ scale: 2, x: 50, y: -30 });
  expect(moved(WHOLE, { x: 10, y: 10 }, frame)).toEqual(WHOLE);
});
