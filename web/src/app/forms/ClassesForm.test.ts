import { expect, it } from "vitest";
import { insertNames } from "./ClassesForm";
import { classOf } from "./defaults";

it("takes several answers at once", () => {
  const names = insertNames([classOf(""), classOf("")], 0, ["cat", "dog", "owl"]).map((spec) => spec.name);
  expect(names).toEqual(["cat", "dog", "owl"]);
  const kept = insertNames([{ ...classOf("a"), key: "x" }, classOf("z")], 0, ["b", "c"]);
  expect(kept.map((spec) => [spec.name, spec.key])).toEqual([
    ["b", "x"],
    ["c", null],
    ["z", null],
  ]);
});
