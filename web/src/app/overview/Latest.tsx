import type { Decision, LogEntry, Project } from "../../api";
import { Badge, Card } from "../../ui";
import { moment, percent } from "../../ui/format";
import { OPEN_STATUSES } from "../../ui/statuses";
import { groupEntries } from "./events";

interface Props {
  project: Project;
  decisions: Decision[];
  log: LogEntry[] | null;
}

const SHOWN = 6;

/** The latest decisions since the project was opened, and the latest log entries. */
export function Latest({ project, decisions, log }: Props) {
  const shown = decisions.filter((decision) => !OPEN_STATUSES.includes(decision.status)).slice(0, SHOWN);
  const entries = groupEntries(log ?? [], project.settings.currency).slice(0, SHOWN);
  if (!shown.length && !entries.length) return null;
  return (
    <div class="two">
      {shown.length > 0 && (
        <Card title="Latest decisions">
          <ul class="feed">
            {shown.map((decision) => (
              <li key={decision.id}>
                <Badge status={decision.status} />
                <a href={`/projects/${project.id}/items?search=${encodeURIComponent(decision.item)}`}>
                  {decision.item}
                </a>
                {decision.label && <b>{decision.label}</b>}
                {decision.confidence !== null && (
                  <span class="soft small">{percent(decision.confidence)} confidence</span>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {entries.length > 0 && (
        <Card title="Activity">
          <ul class="feed dated">
            {entries.map((entry) => (
              <li key={entry.id}>
                <span class="soft small">{moment(entry.at)}</span>
                <span>{entry.text}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}
