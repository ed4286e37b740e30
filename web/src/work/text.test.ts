import { expect, it } from "vitest";
import { lease, sampleVisit } from "./session/samples";
import { initialView } from "./session/view";
import { describeItem, remainingWords } from "./text";

function remaining(maximum_votes: number | null, open: number | null, votes: number): string {
  const first = sampleVisit();
  const rules = { ...first.rules, maximum_votes };
  const visit = { ...first, rules, progress: { ...first.progress, open } };
  return remainingWords(visit, { ...initialView(visit), votes, seconds: 30 });
}

it("shows the time left only where the number of answers is limited and enough items are open", () => {
  expect([remaining(10, 100, 4), remaining(10, null, 9)]).toEqual(["about 3\u00a0min left", "less than 1 min left"]);
  expect([remaining(null, 12, 4), remaining(10, 8, 4)]).toEqual(["8 left", "4 left"]);
  expect([remaining(null, null, 4), remaining(null, 3, 4), remaining(10, null, 10)]).toEqual(["", "", ""]);
});

it("names an item without text by its number, never by its key or file", () => {
  const media = { media: "media/ab/cd.png" };
  const called = (["image", "audio", "html"] as const).map((kind) =>
    describeItem({ ...lease(7), item: { id: 12, kind, content: media } }),
  );
  expect(called).toEqual(["Image 12", "Audio 12", "Item 12"]);
});
