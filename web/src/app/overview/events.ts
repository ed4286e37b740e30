import type { LogEntry } from "../../api";
import { actorOf, logWords, manyWords } from "../settings/logWords";

export interface Told {
  id: number;
  at: number;
  told: string;
}

/** The log in sentences, newest first; the same thing done again and again is said once. */
export function grouped(log: LogEntry[], currency = ""): Told[] {
  const runs: LogEntry[][] = [];
  for (const entry of log) {
    const run = runs.at(-1);
    const same = run?.[0]?.kind === entry.kind && run[0].actor === entry.actor;
    if (run && same && manyWords(entry.kind, 2)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => {
    const [newest] = run;
    if (!newest) return [];
    const told = run.length > 1 ? manyWords(newest.kind, run.length) : logWords(newest, currency);
    return [{ id: newest.id, at: newest.at, told: `${actorOf(newest)} ${told}` }];
  });
}
