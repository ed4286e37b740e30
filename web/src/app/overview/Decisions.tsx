import type { Overview, Progress, Project, Statuses } from "../../api";
import { Bar, Card } from "../../ui";
import { count, percent } from "../../ui/format";
import { itemCount, openCount, statusParts, sumStatuses, totalCount } from "./status-counts";
import { plural } from "./steps";

interface Props {
  project: Project;
  overview: Overview;
  live: boolean;
  screened: Progress["screened"];
}

/** Decided and open items, in total and by question. */
export function Decisions({ project, overview, live, screened }: Props) {
  const questions = project.settings.questions.length;
  const statuses = sumStatuses(overview.tasks);
  const all = totalCount(statuses);
  const done = all - openCount(statuses);
  const name = questions > 1 ? "answer" : "item";
  return (
    <Card title="Progress" aside={overview.state !== "done" && <Live live={live} />}>
      {screened && <Screened screened={screened} />}
      <p class="headline">
        <b>{count(done)}</b> of {plural(all, name)} decided
        {all > 0 && <span class="soft nowrap"> · {percent(done / all)}</span>}
      </p>
      <div class="big-bar">
        <Bar label={`Of ${plural(all, name)}`} parts={statusParts(statuses)} />
      </div>
      <PartList statuses={statuses} all={all} />
      {questions > 1 && <Questions overview={overview} project={project} />}
    </Card>
  );
}

/** Included, excluded and open items of a screening project. */
function Screened({ screened }: { screened: NonNullable<Progress["screened"]> }) {
  const { included, excluded, open } = screened;
  const parts = [
    { status: "included", name: "Included", tone: "var(--good)", n: included },
    { status: "out", name: "Excluded", tone: "var(--bad)", n: excluded },
    { status: "open", name: "Open", tone: "var(--open)", n: open },
  ];
  const all = included + excluded + open;
  return (
    <div class="stack screened">
      <p class="headline">
        <b>{count(included)}</b> of {plural(all, "item")} included
        <span class="soft nowrap"> · {count(excluded)} excluded</span>
      </p>
      <Bar label={`Of ${plural(all, "item")}`} parts={parts} />
      <p class="small soft">
        {open ? `${plural(open, "item")} open.` : "All items are decided."} An item is excluded as soon as it fails one
        criterion; its other criteria are then skipped.
      </p>
    </div>
  );
}

function PartList({ statuses, all }: { statuses: Statuses; all: number }) {
  return (
    <ul class="part-list">
      {statusParts(statuses).map((part) => (
        <li key={part.status} style={{ "--tone": part.tone }}>
          <span>
            <b>{count(part.n)}</b> {all > 0 && <span class="soft">· {percent(part.n / all)}</span>}
          </span>
          <span>{part.name}</span>
        </li>
      ))}
    </ul>
  );
}

function Questions({ overview, project }: { overview: Overview; project: Project }) {
  const { kind, questions } = project.settings;
  return (
    <div class="stack">
      <p class="soft small">
        {plural(itemCount(overview.tasks), "item")}, {questions.length}{" "}
        {kind === "screening" ? "criteria" : "questions"}
      </p>
      <ul class="question-bars">
        {questions.map((question) => {
          const statuses = overview.tasks[question.name] ?? {};
          const all = totalCount(statuses);
          return (
            <li key={question.name}>
              <span>{question.name}</span>
              <Bar label={question.name} parts={statusParts(statuses)} />
              <span class="soft small">
                {count(all - openCount(statuses))} of {count(all)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Shows whether the page is updated live. */
function Live({ live }: { live: boolean }) {
  return (
    <span class={`live small soft ${live ? "on" : ""}`} role="status">
      {live ? "Live" : "Connecting…"}
    </span>
  );
}
