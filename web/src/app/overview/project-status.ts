import type { LogEntry, Overview, Project } from "../../api";
import { itemCount, openCount, sumStatuses, totalCount } from "./status-counts";
import { type ProjectStatus, pausedFrom } from "./steps";

/** Returns the status that the next step depends on. perHour: recent votes per hour; null if unknown. */
export function projectStatus(
  project: Project,
  overview: Overview,
  log: LogEntry[] | null,
  perHour: number | null,
): ProjectStatus {
  const statuses = sumStatuses(overview.tasks);
  const { spent, committed, limit } = overview;
  return {
    state: overview.state,
    items: totalCount(statuses) ? itemCount(overview.tasks) : 0,
    open: openCount(statuses),
    decided: totalCount(statuses) - openCount(statuses),
    questions: project.settings.questions.length,
    asking: statuses.asking ?? 0,
    waiting: overview.waiting,
    leases: overview.leases,
    idle: perHour === 0,
    voters: overview.voters,
    pilotItems: project.settings.pilot.items,
    spentUp: limit !== null && openCount(statuses) > 0 && spent + committed >= limit,
    endless: project.settings.endless,
    before: pausedFrom(log),
  };
}
