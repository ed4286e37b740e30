import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listen } from "./stream";

class Source extends EventTarget {
  static readonly CLOSED = 2;
  static instances: Source[] = [];
  readyState = 1;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  constructor(readonly url: string) {
    super();
    Source.instances.push(this);
  }
  close() {
    this.readyState = Source.CLOSED;
  }
}

beforeEach(() => {
  Source.instances = [];
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Source);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("passes on the data of an event", () => {
  const received: string[] = [];
  const close = listen("/s", () => {}, { overview: (data) => received.push(data) });
  Source.instances[0]?.dispatchEvent(new MessageEvent("overview", { data: "{}" }));
  expect(received).toEqual(["{}"]);
  close();
});

it("opens a refused stream again, and leaves a lost one to the browser", () => {
  const live: boolean[] = [];
  const close = listen("/s", (on) => live.push(on), {});
  const first = Source.instances[0];
  first?.onopen?.();
  first?.onerror?.(); // lost: the browser tries by itself
  vi.advanceTimersByTime(60_000);
  expect(Source.instances.length).toBe(1);
  first?.close();
  first?.onerror?.();
  vi.advanceTimersByTime(60_000);
  expect([Source.instances.length, live]).toEqual([2, [true, false, false]]);
  close();
});

it("stays closed once it is closed", () => {
  const close = listen("/s", () => {}, {});
  Source.instances[0]?.close();
  Source.instances[0]?.onerror?.();
  close();
  vi.advanceTimersByTime(60_000);
  expect(Source.instances.length).toBe(1);
});
