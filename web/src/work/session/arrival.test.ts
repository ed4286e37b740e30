import { expect, test } from "vitest";
import { arrivalOf } from "./arrival";

const NOTHING = { link: "", session: "", visit: "", submit: "", preview: false };

test("a link stands behind the # as it was given", () => {
  expect(arrivalOf("#3.v1.crowd.a-_b")).toEqual({ ...NOTHING, link: "3.v1.crowd.a-_b" });
  expect(arrivalOf("")).toEqual(NOTHING);
});

test("a panel passes the session, the visit and the site to submit it to", () => {
  const arrival = arrivalOf("#session=qs_1-_a&visit=A%261&submit=https%3A%2F%2Fwww.mturk.com");
  expect(arrival).toEqual({ ...NOTHING, session: "qs_1-_a", visit: "A&1", submit: "https://www.mturk.com" });
});

test("a preview has no session", () => {
  expect(arrivalOf("#preview")).toEqual({ ...NOTHING, preview: true });
});
