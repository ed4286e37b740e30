import type { ProjectState } from "../api";
import type { DecidedStatus, OpenStatus } from "../api/constants";

type ByStatus = Record<OpenStatus | DecidedStatus, string> & Record<string, string>;

export const OPEN_STATUSES: readonly string[] = ["waiting", "asking"] satisfies OpenStatus[];

/** The names and colours of the statuses of a task. */
export const STATUS_NAMES: ByStatus = {
  waiting: "Waiting",
  asking: "In progress",
  machine: "Classifier",
  crowd: "Crowd",
  expert: "Expert",
  undecided: "Undecided",
  unclassifiable: "Unclassifiable",
  excluded: "Skipped (item already decided)",
};

export const STATUS_TONES: ByStatus = {
  waiting: "var(--open)",
  asking: "var(--open)",
  machine: "var(--machine)",
  crowd: "var(--crowd)",
  expert: "var(--expert)",
  undecided: "var(--warn)",
  unclassifiable: "var(--other)",
  excluded: "var(--line-strong)",
};

/** The states of a project in which votes are requested, and those in which leases may still be open. */
export const ASKING_STATES = ["pilot", "running"];
export const ACTIVE_STATES = [...ASKING_STATES, "paused"];

/** The names of the states of a project. */
export const STATE_NAMES: Record<ProjectState, string> & Record<string, string> = {
  draft: "Draft",
  pilot: "Pilot",
  estimate: "Pilot done",
  running: "Running",
  paused: "Paused",
  done: "Done",
};
