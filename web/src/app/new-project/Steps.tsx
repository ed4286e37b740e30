import type { Faults } from "../forms/field-errors";
import { faultsAt, STEP_NAMES, STEPS, type Step } from "./draft";

/** The steps of a new project; every step can be opened again. */
export function Steps({ step, faults }: { step: Step; faults: Faults }) {
  const here = STEPS.indexOf(step);
  return (
    <nav aria-label="Steps">
      <ol class="steps">
        {STEPS.map((other, index) => {
          const done = index < here && Object.keys(faultsAt(other, faults)).length === 0;
          return (
            <li key={other} class={done ? "done" : ""}>
              <a href={`/new?step=${other}`} aria-current={other === step ? "step" : undefined}>
                <span class="step-number" aria-hidden="true">
                  {done ? "✓" : index + 1}
                </span>
                <span class="step-name">{STEP_NAMES[other]}</span>
                {done && <span class="unseen"> (done)</span>}
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
