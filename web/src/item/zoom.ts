/** How an image is enlarged and moved. x, y: where its middle is, from the middle of its frame, in pixels. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 };
export const STEP = 1.5;
const MAX_SCALE = 12;

/** Enlarged by a factor around a point of the frame, which stays where it is. */
export function zoomed(zoom: Zoom, factor: number, at = { x: 0, y: 0 }): Zoom {
  const scale = Math.min(MAX_SCALE, Math.max(1, zoom.scale * factor));
  if (scale === 1) return WHOLE;
  const by = scale / zoom.scale;
  return { scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by };
}

/** Moved, but never out of its frame, of which width and height are given. */
export function moved(zoom: Zoom, by: { x: number; y: number }, frame: { width: number; height: number }): Zoom {
  const far = (zoom.scale - 1) / 2;
  const within = (value: number, size: number) => Math.min(far * size, Math.max(-far * size, value));
  return { ...zoom, x: within(zoom.x + by.x, frame.width), y: within(zoom.y + by.y, frame.height) };
}
