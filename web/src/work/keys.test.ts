import { expect, it } from "vitest";
import { actionKeys, classKeys } from "./keys";

const plain = (n: number) => Array.from({ length: n }, () => ({ key: null as string | null }));

it("gives digits, then letters that the page does not need", () => {
  expect(classKeys(plain(12))).toEqual([..."123456789", "a", "b", "c"]);
  expect(classKeys(plain(40)).filter((key) => key === null).length).toBe(40 - 9 - 21);
});
it("keeps keys of classes, and gives none twice", () => {
  expect(classKeys([{ key: "Y" }, { key: null }, { key: "y" }, { key: "2" }])).toEqual(["y", "a", "3", "2"]);
});
it("takes the names of classes that are keys already", () => {
  expect(classKeys(["0", "1", "x"].map((name) => ({ key: null, name })))).toEqual(["0", "1", "x"]);
  expect(classKeys(["0", "10"].map((name) => ({ key: null, name })))).toEqual(["1", "2"]);
});
it("moves its own keys out of the way of classes", () => {
  expect(actionKeys(["s", "u", "1"])).toMatchObject({ skip: "x", unsure: "q", guide: "i" });
});
