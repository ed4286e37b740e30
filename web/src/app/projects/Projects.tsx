import { type ProjectListed, type Session, useLoaded } from "../../api";
import { Bar, ButtonLink, Notice, StateBadge } from "../../ui";
import { count, moment, percent } from "../../ui/format";
import { openCount, statusParts, sumStatuses, totalCount } from "../overview/status-counts";
import { FirstProject } from "./FirstProject";
import "./projects.css";

/** All projects the user can view, newest first. */
export function Projects({ session }: { session: Session }) {
  const { data, problem } = useLoaded<ProjectListed[]>("/api/projects");
  const mayMake = session.role === "owner" || session.role === "requester";
  return (
    <>
      <div class="row apart">
        <h1>Projects</h1>
        {mayMake && data && data.length > 0 && (
          <ButtonLink look="main" href="/new">
            New project
          </ButtonLink>
        )}
      </div>
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      {!data && !problem && <p class="loading">Loading…</p>}
      {data?.length === 0 && <FirstProject mayMake={mayMake} />}
      {data && data.length > 0 && (
        <>
          <ul class="project-list">
            {data.map((project) => (
              <Row key={project.id} project={project} />
            ))}
          </ul>
          <Legend projects={data} />
        </>
      )}
    </>
  );
}

/** The meaning of the colours of the bars. */
function Legend({ projects }: { projects: ProjectListed[] }) {
  const all = sumStatuses(Object.fromEntries(projects.map((project) => [project.id, project.statuses])));
  return (
    <ul class="legend soft">
      {statusParts(all).map((part) => (
        <li key={part.status} style={{ "--tone": part.tone }}>
          {part.name}
        </li>
      ))}
    </ul>
  );
}

function Row({ project }: { project: ProjectListed }) {
  const { statuses } = project;
  return (
    <li>
      <div class="what">
        <a href={`/projects/${project.id}`}>{project.name}</a>
        <StateBadge state={project.state} />
      </div>
      <div class="how-far">
        <Bar label="Decided" parts={statusParts(statuses)} />
        <span class="small soft">{progressText(totalCount(statuses), openCount(statuses))}</span>
      </div>
      <span class="small soft">Created {moment(project.created_at)}</span>
    </li>
  );
}

function progressText(all: number, open: number): string {
  if (!all) return "No items yet";
  return open === all ? `${count(all)} open` : `${percent((all - open) / all)} of ${count(all)} decided`;
}
