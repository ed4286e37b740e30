// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { ItemKind } from "../../api";
import { previewLine } from "./preview";

const line = (kind: ItemKind, content: Record<string, unknown>) => previewLine({ kind, content });

describe("an item in one line", () => {
  it("has no line breaks, and ends", () => {
    expect(line("text", { text: " two\n\nlines " })).toBe("two lines");
    expect(line("text", { text: "x".repeat(999) }).length).toBe(201);
  });
  it("shows both texts of a pair", () => {
    expect(line("pair", { text_a: "Cats purr.", text_b: "Dogs bark." })).toBe("Cats purr. / Dogs bark.");
  });
  it("takes the words of HTML, and not its scripts", () => {
    expect(line("html", { html: "<h1>Hello</h1><p>and <b>welcome</b></p><script>alert(1)</script>" })).toBe(
      "Hello and welcome",
    );
  });
  it("names the file of an image", () => {
    expect(line("image", { image: "https://example.org/a/cat.png?s=1" })).toBe("cat.png");
    expect(line("image", { media: "f00.png" })).toBe("");
  });
  it("lists numbers", () => {
    expect(line("features", { width: 2, height: 3.5 })).toBe("width 2, height 3.5");
    expect(line("features", { features: [1, 2] })).toBe("1, 2");
  });
});
