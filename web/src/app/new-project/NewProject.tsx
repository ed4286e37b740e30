import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Dialog } from "../../ui";
import type { Faults } from "../forms/field-errors";
import { useRoute } from "../router";
import { AskStep } from "./AskStep";
import { CheckStep } from "./CheckStep";
import { Created } from "./Created";
import { draftFaults, faultsAt, STEPS, type Step } from "./draft";
import { FileStep } from "./FileStep";
import { MoneyStep } from "./MoneyStep";
import { PeopleStep } from "./PeopleStep";
import { Preview } from "./Preview";
import { Steps } from "./Steps";
import { goTo, type StepProps } from "./step";
import { useDraft } from "./useDraft";
import "../forms/forms.css";
import "./designer.css";

/** A new project, from a file to the first vote. */
export function NewProject() {
  const step = stepOf(useRoute().query.get("step"));
  const drafting = useDraft();
  const [tried, setTried] = useState<Step[]>([]);
  const [leaving, setLeaving] = useState(false);
  const [refused, setRefused] = useState<Faults>({});
  const { draft } = drafting;
  useEffect(() => setRefused({}), [draft.source]);
  const all = draftFaults(draft);
  const shown = { ...refused, ...Object.assign({}, ...tried.map((step) => faultsAt(step, all))) };
  if (draft.made?.reading) return <Created drafting={drafting} />;
  const next = () => {
    setTried((before) => [...before, step]);
    if (Object.keys(faultsAt(step, all)).length === 0) goTo(STEPS[STEPS.indexOf(step) + 1] ?? "check");
    else showFault();
  };
  const startOver = () => {
    setLeaving(false);
    drafting.clear();
    setTried([]);
    setRefused({});
    goTo("file");
  };
  return (
    <>
      <div class="row apart">
        <h1>New project</h1>
        {draft.source && (
          <Button look="plain" small onClick={() => setLeaving(true)}>
            Start over
          </Button>
        )}
      </div>
      {leaving && <StartOver onClose={() => setLeaving(false)} onYes={startOver} />}
      <Steps step={step} faults={all} />
      <div class={`design-body ${step === "file" ? "alone" : ""}`}>
        <div class="stack">
          <StepTitle step={step} />
          <StepForm step={step} drafting={drafting} faults={shown} onRefused={setRefused} />
          {step !== "check" && <StepButtons step={step} ready={draft.source !== null} onNext={next} />}
        </div>
        {step !== "file" && (
          <aside aria-label="Preview">
            <Preview draft={draft} file={drafting.file} />
          </aside>
        )}
      </div>
    </>
  );
}

function StartOver({ onClose, onYes }: { onClose: () => void; onYes: () => void }) {
  return (
    <Dialog title="Start over?" onClose={onClose}>
      <p>Your entries will be discarded.</p>
      <div class="row">
        <Button look="danger" onClick={onYes}>
          Start over
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

const TITLES: Record<Step, string> = {
  file: "Items",
  ask: "Question",
  people: "Workers",
  money: "Costs and budget",
  check: "Review",
};

/** The title of a step receives the focus when the step opens, so that screen readers announce it. */
function StepTitle({ step }: { step: Step }) {
  const title = useRef<HTMLHeadingElement>(null);
  const before = useRef(step);
  useEffect(() => {
    if (before.current !== step) title.current?.focus({ preventScroll: true });
    before.current = step;
  }, [step]);
  return (
    <h2 ref={title} tabIndex={-1} class="step-title">
      {TITLES[step]}
    </h2>
  );
}

function StepForm({ step, onRefused, ...props }: StepProps & { step: Step; onRefused: (faults: Faults) => void }) {
  switch (step) {
    case "file":
      return <FileStep {...props} />;
    case "ask":
      return <AskStep {...props} />;
    case "people":
      return <PeopleStep {...props} />;
    case "money":
      return <MoneyStep {...props} />;
    case "check":
      return <CheckStep {...props} onRefused={onRefused} />;
  }
}

/** ready: whether items are chosen. */
function StepButtons({ step, ready, onNext }: { step: Step; ready: boolean; onNext: () => void }) {
  const before = STEPS[STEPS.indexOf(step) - 1];
  return (
    <div class="row apart">
      {before ? <Button onClick={() => goTo(before)}>Back</Button> : <span />}
      <Button key={String(ready)} look={ready ? "main" : undefined} onClick={onNext}>
        Next
      </Button>
    </div>
  );
}

function stepOf(named: string | null): Step {
  return STEPS.find((step) => step === named) ?? "file";
}

/** Focuses the first invalid field and opens the details that hide it. */
function showFault(): void {
  requestAnimationFrame(() => {
    const wrong = document.querySelector<HTMLElement>("[aria-invalid=true], .wrong");
    wrong?.closest("details")?.setAttribute("open", "");
    wrong?.focus();
    wrong?.scrollIntoView({ block: "center" });
  });
}
