/** What a voter session needs from the browser; tests replace it. */
import { browserStorage } from "./outbox";
import type { CallEnvironment } from "./sender";
import { type Channel, openChannel } from "./tab-sync";

export interface Environment extends CallEnvironment {
  storage: Storage | null;
  channel: Channel | null;
  now(): number;
  newKey(): string;
  after(milliseconds: number, run: () => void): void;
}

export function browserEnvironment(name: string): Environment {
  return {
    storage: browserStorage(),
    channel: openChannel(`quorate/${name}`),
    now: () => Date.now(),
    newKey,
    after: (milliseconds, run) => void setTimeout(run, milliseconds),
    alone: (run) => alone(`quorate/${name}`, run),
    rest,
  };
}

/** Runs a call alone. Without locks (no HTTPS, some frames) a vote may be sent twice, but it counts once. */
async function alone<T>(name: string, run: () => Promise<T>): Promise<T> {
  let begun = false;
  const begin = () => {
    begun = true;
    return run();
  };
  try {
    return await (navigator.locks ? navigator.locks.request(name, begin) : begin());
  } catch (error) {
    if (begun) throw error;
    return run();
  }
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A pause that ends early when the connection is back. */
function rest(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      done();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end);
  });
}
