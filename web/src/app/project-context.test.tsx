// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Session } from "../api";
import { newSettings } from "./forms/defaults";
import { ProjectPages } from "./ProjectPages";

const SESSION: Session = {
  name: "ann",
  role: "owner",
  account_id: 1,
  voter_id: null,
  project_id: null,
  scopes: [],
  csrf: "",
};
const PAGES = [[], ["items"], ["items", "3"], ["workers"], ["workers", "4"], ["model"], ["settings"], ["estimate"], []];

class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Stream[] = [];
  readyState = 1;
  constructor(readonly url: string) {
    super();
    Stream.opened.push(this);
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
}

let state = "running";
let requests: string[] = [];
let root: HTMLElement;

/** Answers for a project and its overview; all other requests stay open. */
function answer(path: string): Promise<Response> {
  requests.push(path);
  const id = Number(/projects\/(\d+)/.exec(path)?.[1]);
  const brief = { id, name: `Project ${id}`, state, created_at: 0 };
  if (/projects\/\d+$/.test(path))
    return Promise.resolve(Response.json({ ...brief, settings_version: 1, settings: newSettings() }));
  if (path.endsWith("/overview")) {
    const counts = {
      tasks: { label: { waiting: 2 } },
      voters: 1,
      votes: 0,
      leases: 0,
      waiting: { crowd: 2, expert: 0 },
    };
    return Promise.resolve(Response.json({ ...brief, ...counts, spent: 0, committed: 0, limit: null, models: {} }));
  }
  return new Promise(() => {});
}

async function show(id: number, parts: string[]): Promise<void> {
  await act(() => render(<ProjectPages id={id} parts={parts} session={SESSION} />, root));
  await act(() => new Promise((done) => setTimeout(done)));
}

const times = (path: string) => requests.filter((request) => request === path).length;

beforeEach(() => {
  [state, requests, Stream.opened] = ["running", [], []];
  vi.stubGlobal("EventSource", Stream);
  vi.stubGlobal("fetch", answer);
  root = document.createElement("div");
});
afterEach(() => {
  render(null, root);
  vi.unstubAllGlobals();
});

it("loads the project and opens one stream for a visit of all pages", async () => {
  for (const parts of PAGES) {
    await show(1, parts);
    expect(root.querySelector("h1")?.textContent).toBe("Project 1");
  }
  expect(Stream.opened.map((stream) => stream.url)).toEqual(["/api/projects/1/stream"]);
  expect([times("/api/projects/1"), times("/api/projects/1/overview")]).toEqual([1, 1]);
});

it("closes the stream on leaving, and starts afresh for another project", async () => {
  await show(1, []);
  await show(2, []);
  expect(Stream.opened.map((stream) => [stream.url, stream.readyState])).toEqual([
    ["/api/projects/1/stream", Stream.CLOSED],
    ["/api/projects/2/stream", 1],
  ]);
  expect(root.querySelector("h1")?.textContent).toBe("Project 2");
  expect([times("/api/projects/2"), times("/api/projects/2/overview")]).toEqual([1, 1]);
  await act(() => render(null, root));
  expect(Stream.opened.every((stream) => stream.readyState === Stream.CLOSED)).toBe(true);
});

it("loads the project again when the stream reports another state", async () => {
  await show(1, ["items"]);
  state = "paused";
  const data = JSON.stringify({ id: 1, state, tasks: {}, votes: 0, models: {} });
  await act(() => {
    Stream.opened[0]?.dispatchEvent(new MessageEvent("overview", { data }));
  });
  await act(() => new Promise((done) => setTimeout(done)));
  expect(times("/api/projects/1")).toBe(2);
  expect(root.querySelector(".badge")?.textContent).toBe("Paused");
});
