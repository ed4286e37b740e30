import { describe, expect, it } from "vitest";
import type { FilePreview } from "../../api";
import { newCriterion } from "../forms/defaults";
import {
  draftFaults,
  faultsAt,
  firstFault,
  goldColumns,
  nameFromFile,
  newDraft,
  withFile,
  withGold,
  withGoldLabels,
  withKind,
  withLabels,
} from "./draft";

const source = { name: "pet_reviews.csv", size: 10, pasted: false, items: 3 };

function looked(labels: (string | null)[]): FilePreview {
  return {
    format: "csv",
    kind: "text",
    columns: { text: "text" },
    header: [
      { name: "text", examples: [], distinct: 3, values: null, numbers: false },
      { name: "label", examples: [], distinct: 2, values: ["dog", "cat"], numbers: false },
    ],
    rows: labels.map((label) => ({ text: "It purrs.", label })),
    labels: ["label"],
  };
}

describe("a draft", () => {
  it("takes its name, columns and answers from the file", () => {
    const draft = withFile(newDraft(), source, looked(["cat", null]));
    expect(draft.settings.name).toBe("Pet reviews");
    expect(draft.columns.text).toBe("text");
    expect(draft.settings.questions[0]?.classes.map((spec) => spec.name)).toEqual(["dog", "cat"]);
    expect(goldColumns(draft)).toEqual({ label: "label" });
  });

  it("takes labels on all rows for an example of answers", () => {
    const draft = withFile(newDraft(), source, looked(["cat", "dog"]));
    expect(goldColumns(draft)).toEqual({});
    expect(goldColumns({ ...draft, known: true })).toEqual({ label: "label" });
  });

  it("has workers checked where labels are known", () => {
    const draft = withFile(newDraft(), source, looked(["cat", null]));
    expect(draft.settings.workers).toMatchObject({ practice: 2, gold_share: 0.1 });
    expect(withGoldLabels(draft, false).settings.workers).toMatchObject({ practice: 0, gold_share: 0 });
  });

  it("keeps answers that were written by hand", () => {
    const draft = withFile(newDraft(), source, looked(["cat", null]));
    const first = draft.settings.questions[0];
    if (!first?.classes[0]) throw new Error("no answers");
    first.classes[0] = { ...first.classes[0], name: "hound", definition: "Barks." };
    expect(withLabels(draft, "label").settings.questions[0]?.classes[0]?.name).toBe("hound");
  });

  it("turns into criteria and back", () => {
    const draft = withFile(newDraft(), source, looked(["cat", null]));
    const screening = withKind(draft, "screening");
    expect(screening.settings.questions).toEqual([newCriterion()]);
    const gold = { ...screening, gold: { adults: "label", gone: "label" } };
    gold.settings = { ...gold.settings, questions: [{ ...newCriterion(), name: "adults" }] };
    expect(goldColumns(gold)).toEqual({ adults: "label" });
    expect(screening.settings.workers.practice).toBe(0);
    expect(withGold(screening, "adults", "label").settings.workers.practice).toBe(2);
    expect(withGold(gold, "adults", null).gold).toEqual({ gone: "label" });
    expect(withKind(screening, "single").settings.questions[0]?.classes.map((spec) => spec.name)).toEqual([
      "dog",
      "cat",
    ]);
  });

  it("knows on which step something is wrong", () => {
    expect(firstFault(draftFaults(newDraft()))).toBe("file");
    const draft = withFile(newDraft(), source, looked(["cat", null]));
    expect(Object.keys(faultsAt("ask", draftFaults(draft)))).toEqual(["questions.0.text"]);
    draft.settings.questions = draft.settings.questions.map((question) => ({ ...question, text: "Which pet?" }));
    expect(firstFault(draftFaults(draft))).toBe("check");
    expect(firstFault({ "workers.batch": "?" })).toBe("people");
  });

  it("is called after its file", () => {
    expect([nameFromFile("my_texts-2.csv"), nameFromFile(".csv")]).toEqual(["My texts 2", ""]);
  });
});
