import type { ItemDetail, Question, TaskDetail } from "../../api";
import { Badge, Card } from "../../ui";
import { moment, money, percent } from "../../ui/format";
import { OPEN_STATUSES } from "../../ui/statuses";
import { Actions } from "./Actions";
import { Posterior, PosteriorPath } from "./Posterior";
import { formatProbability } from "./posterior-path";
import { History, Votes } from "./Votes";

interface Props {
  task: TaskDetail;
  question: Question | undefined;
  project: number;
  currency: string;
  path: string;
  mayAct: boolean;
  onDone: (item: ItemDetail, message: string) => void;
}

/** Everything about one question of an item. */
export function TaskCard({ task, question, project, currency, path, mayAct, onDone }: Props) {
  return (
    <Card title={question?.text || task.question} aside={<Badge status={task.status} />}>
      <Decision task={task} />
      <p>{task.why}</p>
      {mayAct && <Actions path={path} task={task} question={question} onDone={onDone} />}
      <div class="known">
        <Posterior task={task} />
        <Facts task={task} currency={currency} />
      </div>
      <PosteriorPath task={task} />
      <h3>Votes</h3>
      <Votes task={task} project={project} />
      <History task={task} />
    </Card>
  );
}

function Decision({ task }: { task: TaskDetail }) {
  const open = OPEN_STATUSES.includes(task.status);
  const sure = task.confidence === null ? "" : `${formatProbability(task.confidence)} confidence`;
  return (
    <p class="verdict">
      <strong class={open ? "soft" : undefined}>{task.label ?? (open ? "No label yet" : "No label")}</strong>
      {task.label !== null && <span class="soft">{open ? `most probable so far, ${sure}` : sure}</span>}
    </p>
  );
}

function Facts({ task, currency }: { task: TaskDetail; currency: string }) {
  const facts = taskFacts(task, currency);
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function taskFacts(task: TaskDetail, currency: string): [string, string][] {
  const facts: [string, string | null][] = [
    ["Gold label", task.gold],
    ["Decided", task.decided_at === null ? null : moment(task.decided_at)],
    ["Counted votes", String(task.n_votes)],
    [
      "Next vote from",
      task.ask &&
        `${ANNOTATORS[task.ask] ?? task.ask}${task.price === null ? "" : `, for ${money(task.price, currency)}`}`,
    ],
    ["Assigned to", task.leased ? `${task.leased} ${task.leased === 1 ? "person" : "people"} now` : null],
    ["Ambiguity", task.ambiguity === null ? null : formatAmbiguity(task.ambiguity)],
    ["Expected cost of an error", task.expected_cost === null ? null : money(task.expected_cost, currency)],
    ["Audit", task.audited ? "Selected for an audit by an expert" : null],
    ["Model", task.model_version === null ? null : `Version ${task.model_version}`],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}

const ANNOTATORS: Record<string, string> = { crowd: "Crowd", expert: "Expert" };

/** Formats the ambiguity rank from 0 (clearest) to 1; it is unrelated to the current confidence. */
function formatAmbiguity(rank: number): string {
  if (rank >= 0.5) return `Higher than ${percent(Math.min(rank, 0.99))} of items`;
  return `Lower than ${percent(Math.min(1 - rank, 0.99))} of items`;
}
