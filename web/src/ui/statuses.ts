/** The names and colours of the statuses of a task. */
export const STATUS_NAMES: Record<string, string> = {
  waiting: "Waiting",
  asking: "In progress",
  machine: "Classifier",
  crowd: "Crowd",
  expert: "Expert",
  undecided: "Undecided",
  unclassifiable: "Unclassifiable",
  excluded: "Skipped (item already decided)",
};

export const STATUS_TONES: Record<string, string> = {
  waiting: "var(--open)",
  asking: "var(--open)",
  machine: "var(--machine)",
  crowd: "var(--crowd)",
  expert: "var(--expert)",
  undecided: "var(--warn)",
  unclassifiable: "var(--other)",
  excluded: "var(--line-strong)",
};

export const OPEN_STATUSES = ["waiting", "asking"];

/** The states of a project in which votes are requested, and those in which leases may still be open. */
export const ASKING_STATES = ["pilot", "running"];
export const ACTIVE_STATES = [...ASKING_STATES, "paused"];

/** The names of the states of a project. */
export const STATE_NAMES: Record<string, string> = {
  draft: "Draft",
  pilot: "Pilot",
  estimate: "Pilot done",
  running: "Running",
  paused: "Paused",
  done: "Done",
};
