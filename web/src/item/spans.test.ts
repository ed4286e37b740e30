import { expect, it } from "vitest";
import { splitAtSpan } from "./spans";

it("marks what is asked about", () => {
  expect(splitAtSpan("The frog sings.", [4, 8])).toEqual(["The ", "frog", " sings."]);
});
it("counts characters, not halves of them", () => {
  expect(splitAtSpan("\u{1F438} frog", [2, 6])).toEqual(["\u{1F438} ", "frog", ""]);
});
it("marks nothing where the span makes no sense", () => {
  for (const span of [undefined, null, "4-8", [4], [8, 4], [90, 99], [0.5, 2], ["0", "2"]])
    expect(splitAtSpan("frog", span)).toBeNull();
});
