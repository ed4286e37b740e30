import { describe, expect, it } from "vitest";
import { filterCount, formatQuery, parseQuery, visibleFilters } from "./filters";

const questions = ["about", "trial"];

describe("what is looked at stands in the address", () => {
  it("comes back from it as it went in", () => {
    const asked = { filter: "disputed", question: "trial", search: "a & b", at: 812 };
    expect(parseQuery(new URLSearchParams(formatQuery(asked, "about")), questions)).toEqual(asked);
  });
  it("leaves out what needs no word", () => {
    expect(formatQuery({ filter: "all", question: "about", search: "", at: 0 }, "about")).toBe("");
  });
  it("takes what it does not know as all", () => {
    const asked = parseQuery(new URLSearchParams("filter=x&question=y&at=-3"), questions);
    expect(asked).toEqual({ filter: "all", question: "about", search: "", at: 0 });
  });
});

describe("counts", () => {
  const statuses = { waiting: 3, asking: 2, machine: 10 };
  it("are shown where they are counted", () => {
    expect(["all", "open", "machine", "crowd", "ambiguous"].map((filter) => filterCount(filter, statuses))).toEqual([
      15,
      5,
      10,
      0,
      null,
    ]);
    expect(filterCount("all", undefined)).toBeNull();
  });
  it("decide on what is offered", () => {
    const names = (filters: ReturnType<typeof visibleFilters>) => filters.map(([name]) => name);
    expect(names(visibleFilters(statuses, "all"))).not.toContain("excluded");
    expect(names(visibleFilters({ excluded: 1 }, "all"))).toContain("excluded");
  });
});
