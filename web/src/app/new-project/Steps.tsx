import type { Faults } from "../forms/field-errors";
import { faultsAt, STEP_WORDS, STEPS, type Step } from "./draft";

/** Where one is on the way; every step can be gone back to. */
export function Steps({ step, faults }: { step: Step; faults: Faults }) {
  const here = STEPS.indexOf(step);
  return (
    <nav aria-label="Steps">
      <ol class="steps">
        {STEPS.map((one, place) => {
          const done = place < here && Object.keys(faultsAt(one, faults)).length === 0;
          return (
            <li key={one} class={done ? "done" : ""}>
              <a href={`/new?step=${one}`} aria-current={one === step ? "step" : undefined}>
                <span class="step-number" aria-hidden="true">
                  {done ? "✓" : place + 1}
                </span>
                <span class="step-name">{STEP_WORDS[one]}</span>
                {done && <span class="unseen"> (done)</span>}
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
