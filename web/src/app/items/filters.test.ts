import { describe, expect, it } from "vitest";
import { askedOf, countOf, offered, queryOf } from "./filters";

const questions = ["about", "trial"];

describe("what is looked at stands in the address", () => {
  it("comes back from it as it went in", () => {
    const asked = { filter: "disputed", question: "trial", search: "a & b", at: 812 };
    expect(askedOf(new URLSearchParams(queryOf(asked, "about")), questions)).toEqual(asked);
  });
  it("leaves out what needs no word", () => {
    expect(queryOf({ filter: "all", question: "about", search: "", at: 0 }, "about")).toBe("");
  });
  it("takes what it does not know as all", () => {
    const asked = askedOf(new URLSearchParams("filter=x&question=y&at=-3"), questions);
    expect(asked).toEqual({ filter: "all", question: "about", search: "", at: 0 });
  });
});

describe("counts", () => {
  const statuses = { waiting: 3, asking: 2, machine: 10 };
  it("are told where they are known", () => {
    expect(["all", "open", "machine", "crowd", "ambiguous"].map((one) => countOf(one, statuses))).toEqual([
      15,
      5,
      10,
      0,
      null,
    ]);
    expect(countOf("all", undefined)).toBeNull();
  });
  it("decide on what is offered", () => {
    const names = (found: ReturnType<typeof offered>) => found.map(([name]) => name);
    expect(names(offered(statuses, "all"))).not.toContain("excluded");
    expect(names(offered({ excluded: 1 }, "all"))).toContain("excluded");
  });
});
