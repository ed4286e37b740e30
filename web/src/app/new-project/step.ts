import type { Faults } from "../forms/field-errors";
import { go } from "../router";
import type { Step } from "./draft";
import type { Drafting } from "./useDraft";

/** The properties of every step. */
export interface StepProps {
  drafting: Drafting;
  faults: Faults;
}

/** Opens a step; the browser's back button returns to the previous one. */
export function goTo(step: Step): void {
  go(`/new?step=${step}`);
  scrollTo(0, 0);
}
