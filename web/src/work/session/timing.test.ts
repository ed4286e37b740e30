import { expect, it } from "vitest";
import { median, Stopwatch } from "./timing";

it("counts only the time in view", () => {
  let now = 0;
  const watch = new Stopwatch(() => now);
  now = 2000;
  watch.pause();
  now = 9000;
  watch.resume();
  now = 10_500;
  expect(watch.seconds).toBe(3.5);
  watch.restart();
  now = 11_000;
  expect(watch.seconds).toBe(0.5);
});
it("takes the middle", () => {
  expect([median([]), median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([null, 2, 2.5]);
});
