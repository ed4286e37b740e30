import type { Session } from "../api";
import { StateBadge, Tabs } from "../ui";
import { EstimatePage } from "./estimate/EstimatePage";
import { ItemPage } from "./items/ItemPage";
import { Items } from "./items/Items";
import { ModelPage } from "./model/ModelPage";
import { OverviewPage } from "./overview/OverviewPage";
import { ProjectProvider, useProject } from "./project-context";
import { useTitle } from "./router";
import { Settings } from "./settings/Settings";
import { WorkerPage } from "./workers/WorkerPage";
import { Workers } from "./workers/Workers";

const PAGES: [part: string, name: string][] = [
  ["", "Overview"],
  ["items", "Items"],
  ["workers", "Workers"],
  ["model", "Model"],
  ["settings", "Settings"],
];

/** The pages of one project. Moving between them keeps the project and its stream. */
export function ProjectPages({ id, parts, session }: { id: number; parts: string[]; session: Session }) {
  return (
    <ProjectProvider key={id} id={id} session={session}>
      <ProjectHeader parts={parts} />
      <Page parts={parts} />
    </ProjectProvider>
  );
}

/** The name and state of the project, and the way to its pages. */
function ProjectHeader({ parts }: { parts: string[] }) {
  const { project } = useProject();
  const page = PAGES.find(([part]) => part === parts[0])?.[1] ?? (parts[0] === "estimate" ? "Estimate" : "Overview");
  useTitle(`${page}: ${project.name}`);
  const at = `/projects/${project.id}`;
  const open = parts[0] === "estimate" || !parts[0] ? at : `${at}/${parts[0]}`;
  const tabs = PAGES.map(([part, name]): [string, string] => [part ? `${at}/${part}` : at, name]);
  return (
    <header class="project-head">
      <div class="row">
        <h1>{project.name}</h1>
        <StateBadge state={project.state} />
      </div>
      <Tabs label="Project pages" parts={tabs} open={open} />
    </header>
  );
}

function Page({ parts }: { parts: string[] }) {
  const [first, second] = parts;
  switch (first) {
    case "items":
      return second ? <ItemPage item={Number(second)} /> : <Items />;
    case "workers":
      return second ? <WorkerPage worker={Number(second)} /> : <Workers />;
    case "model":
      return <ModelPage />;
    case "settings":
      return <Settings part={second ?? ""} />;
    case "estimate":
      return <EstimatePage />;
    default:
      return <OverviewPage />;
  }
}
