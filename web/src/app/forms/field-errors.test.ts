import { describe, expect, it } from "vitest";
import { classOf, newCriterion, newSettings } from "./defaults";
import { faultsOf, liesIn, placed } from "./field-errors";

function sound() {
  const settings = newSettings();
  settings.name = "Pets";
  settings.questions = [{ name: "label", text: "Which?", classes: [classOf("cat"), classOf("dog")], holds: null }];
  return settings;
}

describe("what is wrong with settings", () => {
  it("finds nothing where all is well", () => {
    expect(faultsOf(sound())).toEqual({});
  });

  it("tells newcomers what is missing", () => {
    expect(Object.keys(faultsOf(newSettings()))).toEqual([
      "name",
      "questions.0.text",
      "questions.0.classes.0.name",
      "questions.0.classes.1.name",
    ]);
  });

  it("finds answers, keys and criteria that are there twice", () => {
    const settings = sound();
    const classes = [
      { ...classOf("cat"), key: "c" },
      { ...classOf("cat"), key: "C" },
    ];
    settings.questions = [{ name: "label", text: "Which?", classes, holds: null }];
    expect(faultsOf(settings)).toEqual({
      "questions.0.classes.1.name": "This answer is there already.",
      "questions.0.classes.1.key": "This key is taken.",
    });
    const twice = { ...newCriterion(), name: "adults", text: "Adults?" };
    expect(Object.keys(faultsOf({ ...sound(), kind: "screening", questions: [twice, twice] }))).toEqual([
      "questions.0.name",
      "questions.1.name",
    ]);
  });

  it("wants numbers, in their bounds", () => {
    const settings = sound();
    settings.workers = { ...settings.workers, batch: Number.NaN, gold_share: 3 };
    settings.prices = { ...settings.prices, votes: { crowd: -1 } };
    expect(faultsOf(settings)).toEqual({
      "workers.batch": "A number is needed here.",
      "workers.gold_share": "It must be from 0 to 100 %.",
      "prices.votes.crowd": "It must be 0 or more.",
    });
  });

  it("wants addresses that lead somewhere", () => {
    const settings = sound();
    settings.consent = { version: "1", text: "", url: "ftp://x" };
    settings.door = { ...settings.door, completion_url: "example.org", session_parameter: "worker" };
    expect(Object.keys(faultsOf(settings))).toEqual(["consent.url", "door.completion_url", "door.session_parameter"]);
  });
});

describe("what the service refuses", () => {
  it("goes where it belongs", () => {
    expect(placed("body.workers.batch: too many; body.name: too long")).toEqual({
      "workers.batch": "too many",
      name: "too long",
    });
    expect(placed("body: the costs are for 3 classes")).toEqual({ "": "the costs are for 3 classes" });
    expect(placed("there is no project 7")).toEqual({ "": "there is no project 7" });
  });

  it("lies in a part of the settings", () => {
    expect(liesIn("workers.batch", ["workers"])).toBe(true);
    expect(liesIn("workers_door", ["workers"])).toBe(false);
  });
});
