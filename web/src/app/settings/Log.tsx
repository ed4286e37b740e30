import { useEffect, useState } from "preact/hooks";
import { get, type LogEntry, useSending } from "../../api";
import { Button, Empty, Notice } from "../../ui";
import { useProject } from "../project-context";
import { ChangeList } from "./ChangeList";
import { actorOf, logChanges, logText } from "./log-text";

const PAGE = 100; // entries per response

/** The log of the project; entries are never removed. */
export function Log() {
  const { project } = useProject();
  const [entries, setEntries] = useState<LogEntry[]>([]);
  const [more, setMore] = useState(true);
  const [loaded, setLoaded] = useState(false);
  const { busy, problem, send } = useSending();
  const load = () => {
    const last = entries.at(-1)?.id;
    send(get<LogEntry[]>(`/api/projects/${project.id}/events${last ? `?before=${last}` : ""}`), (older) => {
      setEntries((before) => [...before, ...older]);
      setMore(older.length === PAGE);
      setLoaded(true);
    });
  };
  useEffect(load, []);
  return (
    <div class="stack settings">
      <ol class="log">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} currency={project.settings.currency} />
        ))}
      </ol>
      {loaded && !entries.length && (
        <Empty>
          <p>No entries yet.</p>
        </Empty>
      )}
      {problem && <Notice kind="bad">{problem}</Notice>}
      {more && entries.length > 0 && (
        <div class="row">
          <Button busy={busy} onClick={load}>
            Show older entries
          </Button>
        </div>
      )}
    </div>
  );
}

function Entry({ entry, currency }: { entry: LogEntry; currency: string }) {
  const changes = logChanges(entry, currency);
  return (
    <li>
      <time class="soft small" dateTime={new Date(entry.at * 1000).toISOString()}>
        {dayAndTime(entry.at)}
      </time>
      <div>
        <strong>{actorOf(entry)}</strong> {logText(entry, currency)}
        {changes.length > 0 && <ChangeList changes={changes} />}
      </div>
    </li>
  );
}

/** Formats day and time. */
function dayAndTime(at: number): string {
  return new Date(at * 1000).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}
