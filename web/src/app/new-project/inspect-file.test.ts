import { afterEach, describe, expect, it, vi } from "vitest";
import { fileOf, formatOf, inspectFile, inspectLines, linesOf } from "./inspect-file";

afterEach(() => vi.unstubAllGlobals());

function answered(looked: unknown) {
  const sent = vi.fn((_: string, request: RequestInit) => {
    sentForm = request.body as FormData;
    return Promise.resolve(new Response(JSON.stringify(looked)));
  });
  let sentForm = new FormData();
  vi.stubGlobal("fetch", sent);
  return () => sentForm;
}

describe("files", () => {
  it("are known by their ending", () => {
    expect([formatOf("A.CSV"), formatOf("a.tsv"), formatOf("cats.zip"), formatOf("a.docx")]).toEqual([
      "csv",
      "csv",
      "zip",
      null,
    ]);
  });

  it("are sent by their start, and counted", async () => {
    const form = answered(inspectLines(["x"]));
    const seen = await inspectFile(new File(["text\r\na\r\n\r\nb\r\nc"], "pets.csv"));
    expect(seen.source).toEqual({ name: "pets.csv", size: 15, pasted: false, items: 3 });
    expect(form().get("format")).toBe("csv");
  });

  it("count a row once that goes over several lines", async () => {
    answered(inspectLines(["x"]));
    const seen = await inspectFile(new File(['id,text\n1,"two\nlines, ""quoted"""\n2,one\n'], "pets.csv"));
    expect(seen.source.items).toBe(2);
  });

  it("of an unknown format are refused", async () => {
    await expect(inspectFile(new File(["x"], "letter.docx"))).rejects.toThrow("is not supported");
  });

  it("may be plain lines, or addresses", async () => {
    const texts = await inspectFile(new File(["It purrs.\n\nIt barks.\n"], "pets.txt"));
    expect([texts.file.name, texts.source.items, texts.looked.kind]).toEqual(["pets.jsonl", 2, "text"]);
    const images = await inspectFile(new File(["https://a.org/1.png\nhttps://a.org/2.png"], "urls.txt"));
    expect([images.looked.format, images.looked.kind]).toEqual(["urls", "image"]);
  });
});

describe("pasted texts", () => {
  it("become a file of one item per line", async () => {
    const lines = linesOf("It purrs.\n\n  It “barks”.  ");
    expect(await fileOf(lines).text()).toBe('{"text":"It purrs."}\n{"text":"It “barks”."}\n');
    expect(inspectLines(lines).rows).toHaveLength(2);
  });
});
