import type { ProjectSettings } from "../../api";
import type { Faults } from "./field-errors";

/** What every part of the form of a project's settings gets. */
export interface PartProps {
  settings: ProjectSettings;
  change: (patch: Partial<ProjectSettings>) => void;
  faults: Faults;
}
