/** Scale and offset of an image. x, y: distance of its centre from the centre of its frame, in pixels. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 };
export const STEP = 1.5;
const MAX_SCALE = 12;

/** Zooms by a factor around a point of the frame. */
export function zoomed(zoom: Zoom, factor: number, at = { x: 0, y: 0 }): Zoom {
  const scale = Math.min(MAX_SCALE, Math.max(1, zoom.scale * factor));
  if (scale === 1) return WHOLE;
  const by = scale / zoom.scale;
  return { scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by };
}

/** Moves the image, but never out of its frame. */
export function moved(zoom: Zoom, by: { x: number; y: number }, frame: { width: number; height: number }): Zoom {
  const far = (zoom.scale - 1) / 2;
  const within = (value: number, size: number) => Math.min(far * size, Math.max(-far * size, value));
  return { ...zoom, x: within(zoom.x + by.x, frame.width), y: within(zoom.y + by.y, frame.height) };
}
