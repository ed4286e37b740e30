import type { ModelInUse, Overview, Project } from "../../api";
import { Card } from "../../ui";
import { ago, count, percent, short } from "../../ui/format";
import { ACTIVE_STATES, ASKING_STATES } from "../../ui/statuses";
import { trainedOn } from "../model/metrics";
import { SpamWarning } from "./SpamWarning";

interface Props {
  project: Project;
  overview: Overview;
  perHour: number | null;
}

/** The pace of votes, the number of workers and the current models. */
export function Pace({ project, overview, perHour }: Props) {
  const facts: [string, string][] = [
    ["Votes per hour", perHour === null || !ASKING_STATES.includes(overview.state) ? "–" : short(Math.round(perHour))],
    ["Votes", count(overview.votes)],
    ["Workers and experts", count(overview.voters)],
  ];
  if (ACTIVE_STATES.includes(overview.state)) facts.push(["Items assigned now", count(overview.leases)]);
  return (
    <Card title="Pace">
      <dl class="pace-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ul class="small soft">
        {Object.entries(overview.models).map(([question, model]) => (
          <li key={question}>
            {Object.keys(overview.models).length > 1 && `${question}: `}
            <a href={`/projects/${project.id}/model`}>Model version {model.version}</a>
            {modelText(model, overview.state === "done")}
          </li>
        ))}
      </ul>
      <SpamWarning project={project.id} />
    </Card>
  );
}

function modelText(model: ModelInUse, over: boolean): string {
  const { created_at, metrics } = model;
  const alone = typeof metrics.machine_alone === "number" ? metrics.machine_alone : null;
  const learnt = `, trained on ${trainedOn(model)}, ${ago(created_at)}`;
  return alone === null || over ? learnt : `${learnt}; automation rate ${percent(alone)}`;
}
