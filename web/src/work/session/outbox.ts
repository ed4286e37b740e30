/** Unsent answers in the storage of the browser: one entry each, so that two tabs never overwrite each other. */
import type { Outgoing } from "./queue";

export interface StoredAnswer extends Outgoing {
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
      // storage is full or blocked: the page keeps the answer while it is open
    }
  }

  drop(key: string): void {
    this.storage?.removeItem(this.prefix + key);
  }

  /** Returns the answers of all tabs, oldest first. */
  all(): StoredAnswer[] {
    const stored: StoredAnswer[] = [];
    for (const name of Object.keys(this.storage ?? {})) {
      if (!name.startsWith(this.prefix)) continue;
      const left = parseStored(this.storage?.getItem(name) ?? "");
      if (left) stored.push(left);
      else this.storage?.removeItem(name);
    }
    return stored.sort((first, two) => first.at - two.at);
  }
}

function parseStored(text: string): StoredAnswer | null {
  try {
    const left = JSON.parse(text) as StoredAnswer;
    return typeof left.key === "string" && typeof left.lease === "number" ? left : null;
  } catch {
    return null;
  }
}

/** Returns the storage of the browser; null if it is blocked. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
