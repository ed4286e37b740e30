import type { LogEntry, Project } from "../../api";
import type { Decision } from "../../api/stream";
import { Badge, Card } from "../../ui";
import { moment, percent } from "../../ui/format";
import { OPEN_STATUSES } from "../../ui/statuses";
import { grouped } from "./events";

interface Props {
  project: Project;
  decisions: Decision[];
  log: LogEntry[] | null;
}

const SHOWN = 6;

/** The latest decisions since the page was opened, and what people did with the project. */
export function Latest({ project, decisions, log }: Props) {
  const made = decisions.filter((one) => !OPEN_STATUSES.includes(one.status)).slice(0, SHOWN);
  const entries = grouped(log ?? [], project.settings.currency).slice(0, SHOWN);
  if (!made.length && !entries.length) return null;
  return (
    <div class="two">
      {made.length > 0 && (
        <Card title="Just decided">
          <ul class="feed">
            {made.map((one) => (
              <li key={one.id}>
                <Badge status={one.status} />
                <a href={`/projects/${project.id}/items?search=${encodeURIComponent(one.item)}`}>{one.item}</a>
                {one.label && <b>{one.label}</b>}
                {one.confidence !== null && <span class="soft small">{percent(one.confidence)} sure</span>}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {entries.length > 0 && (
        <Card title="What happened">
          <ul class="feed dated">
            {entries.map((entry) => (
              <li key={entry.id}>
                <span class="soft small">{moment(entry.at)}</span>
                <span>{entry.told}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}
