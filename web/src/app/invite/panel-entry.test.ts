import { expect, it } from "vitest";
import { addressFor, panelKind, parseIds } from "./panel-entry";

const entry = {
  entry: "https://q.org/enter/1",
  worker_parameter: "PROLIFIC_PID",
  session_parameter: "SESSION_ID",
  signature_parameter: "sig",
  signed: false,
  key: "k",
};

it("gives a panel an address that it can fill in", () => {
  expect(addressFor("prolific", entry)).toBe(
    "https://q.org/enter/1?PROLIFIC_PID={{%PROLIFIC_PID%}}&SESSION_ID={{%SESSION_ID%}}",
  );
  expect(addressFor("mturk", entry)).toBe("https://q.org/enter/1"); // MTurk adds its parameters by itself
  expect(addressFor("other", { ...entry, signed: true })).toContain(
    "PROLIFIC_PID=WORKER&SESSION_ID=SESSION&sig=SIGNATURE",
  );
});

it("knows panels however they are written", () => {
  expect(["Prolific", "MTurk", "panel"].map(panelKind)).toEqual(["prolific", "mturk", "other"]);
});

it("reads numbers however they were pasted, each once", () => {
  expect(parseIds(" 5f1a, 5f1b\n5f1a;5f1c \n")).toEqual(["5f1a", "5f1b", "5f1c"]);
});
