import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button, Card, Notice } from "../../ui";
import { count, money, percent } from "../../ui/format";
import { costsInVotes, errorNames } from "../forms/costs";
import { type Faults, faultsOfRefusal } from "../forms/field-errors";
import { createProject } from "./create-project";
import { type Draft, draftFaults, firstFault, STEP_NAMES, type Step } from "./draft";
import { ForecastCard } from "./ForecastCard";
import { goTo, type StepProps } from "./step";

/** A summary, the forecast, and the button that creates the project. */
export function CheckStep({ drafting, faults, onRefused }: StepProps & { onRefused: (faults: Faults) => void }) {
  const { draft, file, put } = drafting;
  const [busy, setBusy] = useState(false);
  const faultyStep = firstFault(draftFaults(draft));
  const ready = faultyStep === "check" && file !== null;
  const send = () => {
    if (!file) return;
    setBusy(true);
    onRefused({});
    createProject(draft, file, (project) => put({ made: { project, reading: null } }))
      .then((created) => put({ made: created }))
      .catch((error: Error) => onRefused(faultsOfRefusal(error)))
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Summary draft={draft} />
      <ForecastCard drafting={drafting} ready={faultyStep === "check"} />
      <Refused faults={faults} />
      {faultyStep !== "check" && <Missing step={faultyStep} faults={draftFaults(draft)} />}
      {faultyStep === "check" && !file && <Missing step="file" faults={{ file: "Choose the file again." }} />}
      <div class="row apart">
        <Button onClick={() => goTo("money")}>Back</Button>
        <Button look="main" busy={busy} disabled={!ready} onClick={send}>
          {busy ? "Uploading…" : "Create project"}
        </Button>
      </div>
    </>
  );
}

/** Errors reported by the service, with a link to the step that fixes them. */
function Refused({ faults }: { faults: Faults }) {
  const messages = Object.entries(faults);
  if (!messages.length) return null;
  const step = firstFault(faults);
  return (
    <Notice kind="bad">
      <span>{messages.map(([, message]) => message).join(" ")}</span>
      {step !== "check" && (
        <Button small onClick={() => goTo(step)}>
          Go to {STEP_NAMES[step].toLowerCase()}
        </Button>
      )}
    </Notice>
  );
}

function Missing({ step, faults }: { step: Step; faults: Faults }) {
  const first = Object.values(faults)[0];
  return (
    <Notice kind="warn">
      <span>Not complete: {first}</span>
      <Button small onClick={() => goTo(step)}>
        Go to {STEP_NAMES[step].toLowerCase()}
      </Button>
    </Notice>
  );
}

function Summary({ draft }: { draft: Draft }) {
  const { settings, source } = draft;
  const { crowd, expert } = settings.prices.votes;
  return (
    <Card title={settings.name || "Untitled project"}>
      <dl class="design-facts">
        <Fact name="Items" step="file">
          {source
            ? `${source.pasted ? "Pasted texts" : source.name}${source.items === null ? "" : `, about ${count(source.items)}`}`
            : "None yet"}
        </Fact>
        <Fact name={settings.kind === "single" ? "Question" : "Criteria"} step="ask">
          {settings.kind === "single"
            ? `${settings.questions[0]?.text} (${settings.questions[0]?.classes.map((spec) => spec.name).join(", ")})`
            : settings.questions.map((question) => question.name).join(", ")}
        </Fact>
        <Fact name="Pay" step="people">
          {money(crowd || 0, settings.currency)} per vote
          {expert !== undefined && `, ${money(expert || 0, settings.currency)} per expert vote`}
        </Fact>
        <Fact name="Errors" step="money">
          {costsText(draft)}
        </Fact>
        <Fact name="Budget" step="money">
          {settings.budget === null ? "No limit" : money(settings.budget, settings.currency)}, {pilotText(draft)},{" "}
          {percent(settings.audit_share || 0)} audited
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, step, children }: { name: string; step: Step; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      <dd>
        <a href={`/new?step=${step}`}>
          Change<span class="unseen"> {name.toLowerCase()}</span>
        </a>
      </dd>
    </div>
  );
}

/** Describes the pilot, which needs more items than its own to forecast the rest. */
function pilotText({ settings, source }: Draft): string {
  const pilotItems = settings.pilot.items || 0;
  const few = source?.items !== null && source?.items !== undefined && source.items <= pilotItems;
  return few ? `no pilot (fewer than ${count(pilotItems)} items)` : `pilot of ${count(pilotItems)} items`;
}

function costsText({ settings }: Draft): string {
  const words = costsInVotes(settings);
  if (words.mode === "own") return "Set through the API";
  if (words.mode === "even") return `A wrong label costs as much as ${count(words.votes[0] ?? 0)} votes`;
  return errorNames(settings)
    .map((error, index) => `${error}: ${count(words.votes[index] ?? 0)} votes`)
    .join("; ");
}
