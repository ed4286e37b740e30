import type { ProjectState } from "../../api";
import type { Action } from "./steps";

/** What a button says. */
export function actionLabel(action: Action, state: ProjectState): string {
  if (action === "run")
    return state === "draft" ? "Start without a pilot" : state === "done" ? "Open it again" : "Go on";
  if (action === "pilot") return state === "paused" ? "Go on with the pilot" : "Start a pilot";
  if (action === "export" && state !== "done") return "Results so far";
  return WORDS[action];
}

const WORDS: Record<Exclude<Action, "run" | "pilot">, string> = {
  upload: "Add items",
  invite: "Invite people",
  pause: "Pause",
  estimate: "See the estimate",
  "close-pilot": "End the pilot now",
  end: "End",
  export: "Download results",
};

/** The state that an action brings a project into; those without one open something else. */
export const LEADS_TO: Partial<Record<Action, ProjectState>> = {
  pilot: "pilot",
  run: "running",
  pause: "paused",
  "close-pilot": "estimate",
  end: "done",
};
