import type { ProjectState } from "../../api";
import type { Action } from "./steps";

/** Returns the label of the button of an action. */
export function actionLabel(action: Action, state: ProjectState): string {
  if (action === "run") return state === "draft" ? "Start without pilot" : state === "done" ? "Reopen" : "Resume";
  if (action === "pilot") return state === "paused" ? "Resume pilot" : "Start pilot";
  if (action === "export" && state !== "done") return "Download results";
  return WORDS[action];
}

const WORDS: Record<Exclude<Action, "run" | "pilot">, string> = {
  upload: "Add items",
  invite: "Invite workers",
  pause: "Pause",
  estimate: "View estimate",
  "close-pilot": "End pilot",
  end: "End project",
  export: "Download results",
};

/** The state that an action moves the project to; other actions open a dialog or page. */
export const LEADS_TO: Partial<Record<Action, ProjectState>> = {
  pilot: "pilot",
  run: "running",
  pause: "paused",
  "close-pilot": "estimate",
  end: "done",
};
