import { expect, it } from "vitest";
import { lease, visitOf } from "./samples";
import { firstView } from "./view";
import { described, toCome } from "./words";

function told(maximum_votes: number | null, open: number | null, votes: number): string {
  const first = visitOf();
  const rules = { ...first.rules, maximum_votes };
  const visit = { ...first, rules, progress: { ...first.progress, open } };
  return toCome(visit, { ...firstView(visit), votes, seconds: 30 });
}

it("tells the time only to who may answer so many, and has them", () => {
  expect([told(10, 100, 4), told(10, null, 9)]).toEqual(["about 3\u00a0min left", "under 1 min left"]);
  expect([told(null, 12, 4), told(10, 8, 4)]).toEqual(["8 waiting", "4 waiting"]);
  expect([told(null, null, 4), told(null, 3, 4), told(10, null, 10)]).toEqual(["", "", ""]);
});

it("calls an item that has no words by its number, never by its key or file", () => {
  const media = { media: "media/ab/cd.png" };
  const called = (["image", "audio", "html"] as const).map((kind) =>
    described({ ...lease(7), item: { id: 12, kind, content: media } }),
  );
  expect(called).toEqual(["Image 12", "Sound 12", "Item 12"]);
});
