import type { Faults } from "../forms/field-errors";
import { go } from "../router";
import type { Step } from "./draft";
import type { Drafting } from "./useDraft";

/** What every step gets. */
export interface StepProps {
  drafting: Drafting;
  faults: Faults;
}

/** Open a step; the browser's own way back leads to the one before. */
export function goTo(step: Step): void {
  go(`/new?step=${step}`);
  scrollTo(0, 0);
}
