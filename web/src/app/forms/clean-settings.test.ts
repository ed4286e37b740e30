import { expect, it } from "vitest";
import { cleanSettings } from "./clean-settings";
import { newCriterion, newSettings } from "./defaults";

it("sends settings without stray spaces and empty lines", () => {
  const classes = [{ name: "x ", definition: "", examples: ["", "e "], key: null }];
  const sent = cleanSettings({
    ...newSettings(),
    name: " Pets ",
    questions: [{ ...newCriterion(), name: " a ", classes, holds: "x " }],
  });
  expect(sent.name).toBe("Pets");
  expect(sent.questions[0]).toEqual({
    name: "a",
    text: "",
    holds: "x",
    classes: [{ name: "x", definition: "", examples: ["e"], key: null }],
  });
});
