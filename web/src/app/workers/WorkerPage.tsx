import { useLoaded, type WorkerDetail } from "../../api";
import { ConfusionTable } from "../../charts";
import { Card, Notice } from "../../ui";
import { ago, count, money, percent, seconds } from "../../ui/format";
import { useProject } from "../project-context";
import { Accuracy } from "./Accuracy";
import { SpamBadge, StateBadge } from "./Badges";
import { Blocking } from "./Blocking";
import { GoldAnswers } from "./GoldAnswers";
import { WorkerLinkCard } from "./WorkerLinkCard";
import "./workers.css";

/** One worker: accuracy, speed, confusion matrix and pay. */
export function WorkerPage({ worker: id }: { worker: number }) {
  const { project, session } = useProject();
  const { data: worker, problem, reload } = useLoaded<WorkerDetail>(`/api/projects/${project.id}/workers/${id}`);
  const mayAct = session.role === "owner" || session.role === "requester";
  return (
    <div class="stack">
      <nav aria-label="Back">
        <a href={`/projects/${project.id}/workers`}>← Workers</a>
      </nav>
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      {!worker && !problem && <p class="loading">Loading…</p>}
      {worker && (
        <>
          <div class="row apart">
            <div class="row">
              <h2>
                {worker.kind === "expert" ? "Expert" : "Worker"} {worker.code}
              </h2>
              <StateBadge worker={worker} project={project.state} />
            </div>
            {mayAct && <Blocking worker={worker} project={project.id} onDone={reload} />}
          </div>
          <Numbers worker={worker} currency={project.settings.currency} />
          <ConfusionMatrices worker={worker} />
          {mayAct && <WorkerLinkCard project={project.id} worker={worker.id} />}
          <GoldAnswers worker={worker} project={project.id} />
        </>
      )}
    </div>
  );
}

function Numbers({ worker, currency }: { worker: WorkerDetail; currency: string }) {
  const { skill } = worker;
  return (
    <Card title="Performance">
      <dl class="worker-numbers">
        <div>
          <dt>Votes</dt>
          <dd class="figure">{count(worker.votes)}</dd>
        </div>
        <div>
          <dt>Accuracy on gold</dt>
          <dd>
            <Accuracy worker={worker} />
          </dd>
        </div>
        <div>
          <dt>Skill</dt>
          <dd class="figure">{skill ? percent(skill.value) : "–"}</dd>
          <dd class="soft small">
            {skill
              ? `estimated accuracy on all items: ${percent(skill.low)} to ${percent(skill.high)}`
              : "available after the next model update"}
          </dd>
        </div>
        <div>
          <dt>Time per vote</dt>
          <dd class="figure">{worker.seconds === null ? "–" : seconds(worker.seconds)}</dd>
          <dd class="soft small">median</dd>
        </div>
        <div>
          <dt>Spam</dt>
          <dd>
            <SpamBadge worker={worker} number />
          </dd>
          <dd class="soft small">near 1: answers hardly depend on the item. Unreliable with few votes.</dd>
        </div>
        <div>
          <dt>Pay due</dt>
          <dd class="figure">{money(worker.pay.due, currency)}</dd>
          <dd class="soft small">for {count(worker.pay.votes)} votes</dd>
        </div>
        <div>
          <dt>Last seen</dt>
          <dd>{ago(worker.seen_at)}</dd>
        </div>
      </dl>
    </Card>
  );
}

function ConfusionMatrices({ worker }: { worker: WorkerDetail }) {
  return (
    <div class="two">
      {Object.entries(worker.questions).map(([name, matrix]) => (
        <Card key={name} title={`Confusion matrix: ${name}`}>
          {matrix ? (
            <>
              <p class="soft small">Rows: estimated true class. Columns: answers of this worker.</p>
              <ConfusionTable
                label={`Confusion matrix of ${name}`}
                rowName="True class"
                columnName="Answer"
                names={matrix.classes}
                values={matrix.confusion}
              />
            </>
          ) : (
            <p class="soft">Not available yet: the model has not been trained on these votes.</p>
          )}
        </Card>
      ))}
    </div>
  );
}
