import type { Overview, Progress, Project } from "../../api";
import { Notice } from "../../ui";
import { useProject } from "../project-context";
import { Curves } from "./Curves";
import { Decisions } from "./Decisions";
import { Latest } from "./Latest";
import { Money } from "./Money";
import { NextStep } from "./NextStep";
import { Pace } from "./Pace";
import { projectStatus } from "./project-status";
import { Quality } from "./Quality";
import { sumStatuses } from "./status-counts";
import { waitsFor } from "./steps";
import { useProgress } from "./useProgress";
import "./overview.css";

/** The live overview of a project: next step, progress, cost, quality and pace. */
export function OverviewPage() {
  const { project, reload, overview, live, decisions, problem } = useProject();
  const { progress, log } = useProgress();
  if (problem && !overview) return <Notice kind="bad">{problem.message}</Notice>;
  if (!overview) return <p class="loading">Loading…</p>;
  const at = projectStatus(project, overview, log, progress?.votes_per_hour ?? null);
  return (
    <>
      <NextStep project={project} overview={overview} at={at} reload={reload} />
      {overview.state !== "draft" && (
        <ProjectNumbers project={project} overview={overview} progress={progress} live={live} waits={waitsFor(at)} />
      )}
      <Latest project={project} decisions={decisions} log={log} />
    </>
  );
}

interface StandingProps {
  project: Project;
  overview: Overview;
  progress: Progress | null;
  live: boolean;
  waits: string | null;
}

function ProjectNumbers({ project, overview, progress, live, waits }: StandingProps) {
  const { currency, audit_share } = project.settings;
  const { state } = overview;
  const statuses = sumStatuses(overview.tasks);
  return (
    <>
      <Decisions project={project} overview={overview} live={live} screened={progress?.screened ?? null} />
      <div class="tiles">
        <Money overview={overview} progress={progress} currency={currency} waits={waits} />
        <Quality
          progress={progress}
          labels={(statuses.crowd ?? 0) + (statuses.machine ?? 0)}
          auditShare={audit_share}
          over={state === "done"}
          settings={`/projects/${project.id}/settings`}
        />
        <Pace project={project} overview={overview} perHour={waits ? 0 : (progress?.votes_per_hour ?? null)} />
      </div>
      <Curves progress={progress} overview={overview} currency={currency} />
    </>
  );
}
