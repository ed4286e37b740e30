import { afterEach, expect, it, vi } from "vitest";
import { get, Problem } from "./call";

afterEach(() => vi.unstubAllGlobals());

function answering(body: BodyInit, status = 200): void {
  vi.stubGlobal("fetch", async () => new Response(body, { status }));
}

/** A body whose connection ends after its first bytes. */
function broken(reason: Error): ReadableStream {
  const begun = new TextEncoder().encode('{"votes": [');
  return new ReadableStream({
    start: (controller) => controller.enqueue(begun),
    pull: (controller) => controller.error(reason),
  });
}

it("gives what was answered, and what was refused in its own words", async () => {
  answering('{"n": 1}');
  expect(await get("/api/x")).toEqual({ n: 1 });
  answering('{"error": "there is none"}', 404);
  await expect(get("/api/x")).rejects.toMatchObject({ status: 404, message: "There is none" });
});

it("takes a connection that is lost in the midst of an answer for one that was not there", async () => {
  answering(broken(new TypeError("network error")));
  const problem = await get("/api/x").catch((error) => error);
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ status: 0, isTemporary: true });
});

it("leaves what was called off as it is", async () => {
  answering(broken(new DOMException("left", "AbortError")));
  await expect(get("/api/x")).rejects.toMatchObject({ name: "AbortError" });
});
