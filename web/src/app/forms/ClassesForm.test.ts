import { expect, it } from "vitest";
import { several } from "./ClassesForm";
import { classOf } from "./defaults";

it("takes several answers at once", () => {
  const names = several([classOf(""), classOf("")], 0, ["cat", "dog", "owl"]).map((one) => one.name);
  expect(names).toEqual(["cat", "dog", "owl"]);
  const kept = several([{ ...classOf("a"), key: "x" }, classOf("z")], 0, ["b", "c"]);
  expect(kept.map((one) => [one.name, one.key])).toEqual([
    ["b", "x"],
    ["c", null],
    ["z", null],
  ]);
});
