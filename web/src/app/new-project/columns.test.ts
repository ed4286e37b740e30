import { describe, expect, it } from "vitest";
import type { FilePreview } from "../../api";
import { columnsFor, columnsToSend, inferredColumns, itemOf, missingColumn, NO_COLUMNS } from "./columns";

const looked: FilePreview = {
  format: "csv",
  kind: "text",
  columns: { key: "id", text: "review" },
  header: [
    { name: "id", examples: ["1"], distinct: 3, values: null, numbers: true },
    { name: "review", examples: ["Good."], distinct: 3, values: null, numbers: false },
    { name: "title", examples: ["A"], distinct: 3, values: null, numbers: false },
    { name: "stars", examples: ["5"], distinct: 2, values: ["5", "1"], numbers: true },
    { name: "label", examples: ["1"], distinct: 2, values: ["1", "0"], numbers: true },
  ],
  rows: [{ id: 1, review: "Good.", title: "A", stars: 5, label: 1 }],
  labels: ["label"],
};

describe("columns", () => {
  it("begin as they were guessed", () => {
    expect(inferredColumns(looked)).toEqual({ ...NO_COLUMNS, key: "id", text: "review" });
  });

  it("are filled for another kind of item, without the labels", () => {
    const pair = columnsFor("pair", inferredColumns(looked), looked);
    expect(pair).toEqual({ ...NO_COLUMNS, key: "id", text_a: "review", text_b: "title" });
    expect(missingColumn("pair", pair, looked)).toBeNull();
    expect(missingColumn("image", NO_COLUMNS, looked)).toBe("Choose the image URL column.");
  });

  it("send known labels as gold", () => {
    expect(columnsToSend("text", inferredColumns(looked), looked, { pet: "label" }, "label")).toEqual({
      key: "id",
      text: "review",
      gold: { pet: "label" },
    });
  });

  it("never let labels be learnt from that only named the answers", () => {
    const sent = columnsToSend("text", inferredColumns(looked), looked, {}, "label");
    expect(sent).toEqual({ key: "id", text: "review", features: ["stars"] });
  });

  it("need not be named in an archive", () => {
    const zip = { ...looked, format: "zip", header: [] };
    expect(missingColumn("image", NO_COLUMNS, zip)).toBeNull();
    expect(columnsToSend("image", NO_COLUMNS, zip, {}, null)).toEqual({});
  });

  it("make an item of a row", () => {
    expect(itemOf("text", inferredColumns(looked), looked.rows[0] ?? {})).toEqual({
      kind: "text",
      content: { text: "Good." },
    });
  });

  it("make numbers of a row that has some", () => {
    const row = { id: "7", height: "1.5", width: 2, name: "box", depth: "", label: 1 };
    expect(itemOf("features", { ...NO_COLUMNS, key: "id" }, row, "label").content).toEqual({
      features: { height: 1.5, width: 2 },
    });
  });
});
