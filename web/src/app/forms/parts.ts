import type { ProjectSettings } from "../../api";
import type { Faults } from "./field-errors";

/** The properties of every part of the settings form. */
export interface PartProps {
  settings: ProjectSettings;
  change: (patch: Partial<ProjectSettings>) => void;
  faults: Faults;
}
