import { expect, it } from "vitest";
import { newSettings } from "./defaults";
import { limitError, limitErrors } from "./limits";

it("accepts the settings that a form starts with, apart from what has to be filled in", () => {
  expect(Object.keys(limitErrors(newSettings()))).toEqual([
    "name",
    "questions.0.classes.0.name",
    "questions.0.classes.1.name",
  ]);
});

it("checks every class, price and cost", () => {
  const settings = newSettings();
  settings.name = "Pets";
  settings.questions = [];
  settings.prices = { ...settings.prices, votes: { crowd: 0.05, "Dr. No": -1 } };
  settings.costs = {
    ...settings.costs,
    matrix: [
      [0, -2],
      [1, 0],
    ],
  };
  expect(limitErrors(settings)).toEqual({
    "prices.votes.Dr. No": "Enter a number of at least 0.",
    "costs.matrix.0.1": "Enter a number of at least 0.",
  });
});

it("states the limits of numbers", () => {
  expect(limitError(Number.NaN, { min: 0, max: 1 })).toBe("Enter a number.");
  expect(limitError(null, { min: 0, max: 1 })).toBe("Enter a number.");
  expect(limitError(null, { min: 0, max: 1, nullable: true })).toBeNull();
  expect(limitError(3, { min: 0, max: 1 })).toBe("Enter a number from 0 to 100%.");
  expect(limitError(51, { min: 1, max: 50, integer: true })).toBe("Enter a number from 1 to 50.");
  expect(limitError(2.5, { min: 1, max: 50, integer: true })).toBe("Enter a whole number.");
});

it("counts characters as the service does, and the entries of lists", () => {
  expect(limitError("👍", { maxLength: 1 })).toBeNull();
  expect(limitError("ab", { maxLength: 1 })).toBe("Use at most 1 characters.");
  expect(limitError("", { minLength: 1 })).toBe("This field is required.");
  expect(limitError([1, 2, 3], { maxItems: 2 })).toBe("Use at most 2 entries.");
});
