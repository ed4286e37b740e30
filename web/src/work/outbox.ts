/** Answers that are not sent yet, kept by the browser: one entry each, so that two tabs never overwrite each other. */
import type { Outgoing } from "./queue";

export interface Left extends Outgoing {
  tab: string;
}

export class Outbox {
  constructor(
    private readonly storage: Storage | null,
    private readonly prefix: string,
    private readonly tab: string,
  ) {}

  keep(out: Outgoing): void {
    try {
      this.storage?.setItem(this.prefix + out.key, JSON.stringify({ ...out, tab: this.tab }));
    } catch {
      // full or forbidden: the page still has it, as long as it is open
    }
  }

  drop(key: string): void {
    this.storage?.removeItem(this.prefix + key);
  }

  /** Of all tabs, the oldest first. */
  all(): Left[] {
    const found: Left[] = [];
    for (const name of Object.keys(this.storage ?? {})) {
      if (!name.startsWith(this.prefix)) continue;
      const left = readLeft(this.storage?.getItem(name) ?? "");
      if (left) found.push(left);
      else this.storage?.removeItem(name);
    }
    return found.sort((one, two) => one.at - two.at);
  }
}

function readLeft(text: string): Left | null {
  try {
    const left = JSON.parse(text) as Left;
    return typeof left.key === "string" && typeof left.lease === "number" ? left : null;
  } catch {
    return null;
  }
}

/** The browser's storage, unless it is switched off. */
export function storageOrNone(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
