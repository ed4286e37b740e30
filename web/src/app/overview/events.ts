import type { LogEntry } from "../../api";
import { actorOf, logText, repeatedText } from "../settings/log-text";

export interface LogSentence {
  id: number;
  at: number;
  text: string;
}

/** Describes the log, newest first; repeated entries are grouped. */
export function groupEntries(log: LogEntry[], currency = ""): LogSentence[] {
  const runs: LogEntry[][] = [];
  for (const entry of log) {
    const run = runs.at(-1);
    const same = run?.[0]?.kind === entry.kind && run[0].actor === entry.actor;
    if (run && same && repeatedText(entry.kind, 2)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => {
    const [newest] = run;
    if (!newest) return [];
    const text = run.length > 1 ? repeatedText(newest.kind, run.length) : logText(newest, currency);
    return [{ id: newest.id, at: newest.at, text: `${actorOf(newest)} ${text}` }];
  });
}
