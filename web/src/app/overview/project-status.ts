import type { LogEntry, Overview, Project } from "../../api";
import { allOf, itemsOf, openOf, together } from "./status-counts";
import { pausedFrom, type Standing } from "./steps";

/** What is to be done about a project depends on this. perHour: votes, lately; null while that is not known. */
export function standingOf(
  project: Project,
  overview: Overview,
  log: LogEntry[] | null,
  perHour: number | null,
): Standing {
  const statuses = together(overview.tasks);
  const { spent, committed, limit } = overview;
  return {
    state: overview.state,
    items: allOf(statuses) ? itemsOf(overview.tasks) : 0,
    open: openOf(statuses),
    decided: allOf(statuses) - openOf(statuses),
    questions: project.settings.questions.length,
    asking: statuses.asking ?? 0,
    waiting: overview.waiting,
    leases: overview.leases,
    idle: perHour === 0,
    voters: overview.voters,
    pilotItems: project.settings.pilot.items,
    spentUp: limit !== null && openOf(statuses) > 0 && spent + committed >= limit,
    endless: project.settings.endless,
    before: pausedFrom(log),
  };
}
