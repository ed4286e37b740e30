import { describe, expect, it } from "vitest";
import { Problem } from "../../api";
import { classOf, newCriterion, newSettings } from "./defaults";
import { faultsOf, faultsOfRefusal, isWithin } from "./field-errors";

function validSettings() {
  const settings = newSettings();
  settings.name = "Pets";
  settings.questions = [{ name: "label", text: "Which?", classes: [classOf("cat"), classOf("dog")], holds: null }];
  return settings;
}

describe("validation of settings", () => {
  it("finds nothing wrong with valid settings", () => {
    expect(faultsOf(validSettings())).toEqual({});
  });

  it("lists what has to be filled in", () => {
    expect(Object.keys(faultsOf(newSettings()))).toEqual([
      "name",
      "questions.0.text",
      "questions.0.classes.0.name",
      "questions.0.classes.1.name",
    ]);
  });

  it("finds repeated answers, keys and criteria", () => {
    const settings = validSettings();
    const classes = [
      { ...classOf("cat"), key: "c" },
      { ...classOf("cat"), key: "C" },
    ];
    settings.questions = [{ name: "label", text: "Which?", classes, holds: null }];
    expect(faultsOf(settings)).toEqual({
      "questions.0.classes.1.name": "This answer is already listed.",
      "questions.0.classes.1.key": "This key is already used.",
    });
    const repeated = { ...newCriterion(), name: "adults", text: "Adults?" };
    expect(Object.keys(faultsOf({ ...validSettings(), kind: "screening", questions: [repeated, repeated] }))).toEqual([
      "questions.0.name",
      "questions.1.name",
    ]);
  });

  it("checks the limits of numbers", () => {
    const settings = validSettings();
    settings.workers = { ...settings.workers, batch: Number.NaN, gold_share: 3 };
    settings.prices = { ...settings.prices, votes: { crowd: -1 } };
    expect(faultsOf(settings)).toEqual({
      "workers.batch": "Enter a number.",
      "workers.gold_share": "Enter a number from 0 to 100%.",
      "prices.votes.crowd": "Enter a number of at least 0.",
    });
  });

  it("checks addresses", () => {
    const settings = validSettings();
    settings.consent = { version: "1", text: "", url: "ftp://x" };
    settings.door = { ...settings.door, completion_url: "example.org", session_parameter: "worker" };
    expect(Object.keys(faultsOf(settings))).toEqual(["consent.url", "door.completion_url", "door.session_parameter"]);
  });
});

describe("a refusal of the service", () => {
  it("is shown at the settings that the response names", () => {
    const fields = { "workers.batch": "too many", name: "too long" };
    expect(faultsOfRefusal(new Problem(422, "Two settings are wrong", null, fields))).toEqual(fields);
  });

  it("is shown as a whole if the response names no settings", () => {
    expect(faultsOfRefusal(new Problem(404, "There is no project 7"))).toEqual({ "": "There is no project 7" });
    expect(faultsOfRefusal(new Error("no file"))).toEqual({ "": "no file" });
  });

  it("is within a part of the settings", () => {
    expect(isWithin("workers.batch", ["workers"])).toBe(true);
    expect(isWithin("workers_door", ["workers"])).toBe(false);
  });
});
