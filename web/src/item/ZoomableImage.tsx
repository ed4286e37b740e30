import { useEffect, useRef, useState } from "preact/hooks";
import { isForPage } from "../ui/is-for-page";
import { moved, STEP, WHOLE, type Zoom, zoomed } from "./zoom";

/** An image that can be zoomed by buttons, wheel, double click, pinch or the keys + and -, and moved. */
export function ZoomableImage({ src, alt }: { src: string; alt: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(WHOLE);
  useEffect(() => watch(frame.current as HTMLDivElement, setZoom), []);
  const by = (factor: number) => () => setZoom((now) => zoomed(now, factor));
  const transform = `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`;
  return (
    <div class={`item zoom ${zoom.scale > 1 ? "large" : ""}`}>
      <div class="frame" ref={frame}>
        <img src={src} alt={alt} decoding="sync" draggable={false} style={{ transform }} />
      </div>
      <fieldset class="zoom-buttons">
        <legend class="unseen">Image zoom</legend>
        <button
          type="button"
          onClick={by(1 / STEP)}
          disabled={zoom.scale === 1}
          aria-label="Zoom out"
          title="Zoom out (-)"
        >
          −
        </button>
        <button type="button" onClick={by(STEP)} aria-label="Zoom in" title="Zoom in (+)">
          +
        </button>
      </fieldset>
    </div>
  );
}

type Change = (next: (now: Zoom) => Zoom) => void;

/** Handles pointer and keyboard input; returns a function that stops it. */
function watch(frame: HTMLDivElement, change: Change): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const at = (event: { clientX: number; clientY: number }) => {
    const box = frame.getBoundingClientRect();
    return { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 };
  };
  frame.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      change((now) => zoomed(now, event.deltaY < 0 ? 1.2 : 1 / 1.2, at(event)));
    },
    { signal, passive: false },
  );
  frame.addEventListener("dblclick", (event) => change((now) => zoomed(now, now.scale > 1 ? 0 : 3, at(event))), {
    signal,
  });
  document.addEventListener("keydown", (event) => handleKey(event, change), { signal });
  watchFingers(frame, change, at, signal);
  return () => ending.abort();
}

function handleKey(event: KeyboardEvent, change: Change): void {
  if (!isForPage(event, true)) return;
  if (event.key === "+" || event.key === "=") change((now) => zoomed(now, STEP));
  else if (event.key === "-") change((now) => zoomed(now, 1 / STEP));
}

type Point = { x: number; y: number };

/** One finger or the mouse moves the image, two fingers zoom it. */
function watchFingers(
  frame: HTMLDivElement,
  change: Change,
  at: (event: PointerEvent) => Point,
  signal: AbortSignal,
): void {
  const down = new Map<number, Point>();
  const end = (event: PointerEvent) => down.delete(event.pointerId);
  frame.addEventListener("pointerdown", (event) => down.set(event.pointerId, at(event)), { signal });
  for (const name of ["pointerup", "pointercancel", "pointerleave"] as const)
    frame.addEventListener(name, end, { signal });
  frame.addEventListener(
    "pointermove",
    (event) => {
      const before = down.get(event.pointerId);
      if (!before) return;
      const now = at(event);
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      down.set(event.pointerId, now);
      if (other) change((zoom) => zoomed(zoom, distance(now, other) / (distance(before, other) || 1), other));
      else change((zoom) => moved(zoom, { x: now.x - before.x, y: now.y - before.y }, sizeOf(frame)));
    },
    { signal },
  );
}

function distance(first: Point, two: Point): number {
  return Math.hypot(first.x - two.x, first.y - two.y);
}

function sizeOf(frame: HTMLElement): { width: number; height: number } {
  return { width: frame.clientWidth, height: frame.clientHeight };
}
