import { afterEach, expect, it, vi } from "vitest";
import { get, Problem } from "./call";

afterEach(() => vi.unstubAllGlobals());

function respondWith(body: BodyInit, status = 200): void {
  vi.stubGlobal("fetch", async () => new Response(body, { status }));
}

/** A body whose connection ends after its first bytes. */
function cutOff(reason: Error): ReadableStream {
  const start = new TextEncoder().encode('{"votes": [');
  return new ReadableStream({
    start: (controller) => controller.enqueue(start),
    pull: (controller) => controller.error(reason),
  });
}

it("returns the response, or throws the message of the service", async () => {
  respondWith('{"n": 1}');
  expect(await get("/api/x")).toEqual({ n: 1 });
  respondWith('{"error": "there is none"}', 404);
  await expect(get("/api/x")).rejects.toMatchObject({ status: 404, message: "There is none" });
});

it("keeps the messages of single fields", async () => {
  respondWith('{"error": "2 fields are wrong", "fields": {"workers.batch": "use at most 50"}}', 422);
  await expect(get("/api/x")).rejects.toMatchObject({ status: 422, fields: { "workers.batch": "Use at most 50" } });
});

it("treats a connection lost during the response as a service that was not reached", async () => {
  respondWith(cutOff(new TypeError("network error")));
  const problem = await get("/api/x").catch((error) => error);
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ status: 0, isTemporary: true });
});

it("passes on that a request was aborted", async () => {
  respondWith(cutOff(new DOMException("left", "AbortError")));
  await expect(get("/api/x")).rejects.toMatchObject({ name: "AbortError" });
});
