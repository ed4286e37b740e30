import type { components } from "../schema";

type Models = components["schemas"];

export type ClassSpec = Models["ClassSpec"];
export type Consent = Models["Consent"];
export type LearnerName = Models["LearnerSettings"]["name"];
export type PanelEntry = Models["PanelEntryOut"];
export type Project = Models["ProjectOut"];
export type ProjectBrief = Models["ProjectBrief"];
export type ProjectListed = Models["ProjectListEntry"];
export type ProjectSettings = Models["ProjectSettings"];
export type ProjectState = ProjectBrief["state"];
export type Question = Models["Question"];

/** Number of tasks by status. */
export type Statuses = ProjectListed["statuses"];
