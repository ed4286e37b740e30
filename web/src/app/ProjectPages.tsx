import { type Project, type Session, useLoaded } from "../api";
import { Notice, StateBadge, Tabs } from "../ui";
import { EstimatePage } from "./estimate/EstimatePage";
import { ItemPage } from "./items/ItemPage";
import { Items } from "./items/Items";
import { ModelPage } from "./model/ModelPage";
import { OverviewPage } from "./overview/OverviewPage";
import { useTitle } from "./router";
import { Settings } from "./settings/Settings";
import { WorkerPage } from "./workers/WorkerPage";
import { Workers } from "./workers/Workers";

/** What every page of a project gets. */
export interface ProjectProps {
  project: Project;
  reload: () => void;
  session: Session;
}

const PAGES: [part: string, name: string][] = [
  ["", "Overview"],
  ["items", "Items"],
  ["workers", "Workers"],
  ["model", "Model"],
  ["settings", "Settings"],
];

/** One project: its name, how it stands, and its pages. */
export function ProjectPages({ id, parts, session }: { id: number; parts: string[]; session: Session }) {
  const { data: project, problem, reload } = useLoaded<Project>(`/api/projects/${id}`);
  const page = PAGES.find(([part]) => part === parts[0])?.[1] ?? (parts[0] === "estimate" ? "Estimate" : "Overview");
  useTitle(project && `${page}: ${project.name}`);
  if (problem && !project)
    return (
      <Notice kind="bad">
        {problem.message} <a href="/">Back to projects</a>
      </Notice>
    );
  if (!project) return <p class="loading">Loading…</p>;
  const at = `/projects/${id}`;
  const open = parts[0] === "estimate" || !parts[0] ? at : `${at}/${parts[0]}`;
  const tabs = PAGES.map(([part, name]): [string, string] => [part ? `${at}/${part}` : at, name]);
  return (
    <>
      <header class="project-head">
        <div class="row">
          <h1>{project.name}</h1>
          <StateBadge state={project.state} />
        </div>
        <Tabs label="Project pages" parts={tabs} open={open} />
      </header>
      <Part parts={parts} project={project} reload={reload} session={session} />
    </>
  );
}

function Part({ parts, ...props }: ProjectProps & { parts: string[] }) {
  const [first, second] = parts;
  switch (first) {
    case "items":
      return second ? <ItemPage {...props} item={Number(second)} /> : <Items {...props} />;
    case "workers":
      return second ? <WorkerPage {...props} worker={Number(second)} /> : <Workers {...props} />;
    case "model":
      return <ModelPage {...props} />;
    case "settings":
      return <Settings {...props} part={second ?? ""} />;
    case "estimate":
      return <EstimatePage {...props} />;
    default:
      return <OverviewPage {...props} />;
  }
}
