import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";
import { type Decision, type Overview, type Project, type Session, useLiveOverview, useLoaded } from "../api";
import { Notice } from "../ui";

/** The project that is open, shared by all of its pages. */
export interface ProjectData {
  project: Project;
  session: Session;
  /** Loads the project again after its settings or its state changed. */
  reload: () => void;
  /** The counts of the project, as they change; null until they are loaded. */
  overview: Overview | null;
  /** Whether the overview is kept up to date by the stream. */
  live: boolean;
  /** Decisions since the project was opened, newest first. */
  decisions: Decision[];
  /** Changes with every vote, decision, change of state and new model. */
  revision: string;
  problem: Error | null;
}

const ProjectContext = createContext<ProjectData | null>(null);

/** Returns the project that is open; only for components within a ProjectProvider. */
export function useProject(): ProjectData {
  const data = useContext(ProjectContext);
  if (!data) throw new Error("useProject needs a ProjectProvider above it");
  return data;
}

interface Props {
  id: number;
  session: Session;
  children: ComponentChildren;
}

/**
 * Loads a project and its overview once and keeps one stream open for all pages of the project.
 *
 * Give it the id of the project as its key, so that another project starts afresh.
 */
export function ProjectProvider({ id, session, children }: Props) {
  const { data: project, problem: projectProblem, reload } = useLoaded<Project>(`/api/projects/${id}`);
  const { data: loaded, problem } = useLoaded<Overview>(`/api/projects/${id}/overview`);
  const { overview: latest, live, decisions } = useLiveOverview(id);
  const overview = latest ?? loaded;
  const stateChanged = project !== null && overview !== null && overview.state !== project.state;
  useEffect(() => {
    if (stateChanged) reload();
  }, [stateChanged, reload]);
  if (!project && projectProblem)
    return (
      <Notice kind="bad">
        {projectProblem.message} <a href="/">Back to projects</a>
      </Notice>
    );
  if (!project) return <p class="loading">Loading…</p>;
  const revision = JSON.stringify([overview?.votes, overview?.tasks, overview?.state, overview?.models]);
  return (
    <ProjectContext.Provider value={{ project, session, reload, overview, live, decisions, revision, problem }}>
      {children}
    </ProjectContext.Provider>
  );
}
