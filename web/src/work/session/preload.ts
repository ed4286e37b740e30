/** Fetches and decodes the next images before they are shown; the last ones are kept for undo. */
import type { Lease } from "../../api/types";
import { addressOf } from "../../item/address";

const MAX_IMAGES = 120;
const kept = new Map<string, HTMLImageElement>();

export function preload(leases: Lease[], base: (task: number) => string): void {
  for (const { item, task } of leases) {
    const address = item.kind === "image" ? addressOf(item.content, base(task)) : "";
    if (!address || kept.has(address)) continue;
    const image = new Image();
    image.src = address;
    image.decode().catch(() => kept.delete(address)); // fetched again when it is shown
    kept.set(address, image);
  }
  for (const address of [...kept.keys()].slice(0, Math.max(0, kept.size - MAX_IMAGES))) kept.delete(address);
}
