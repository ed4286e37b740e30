import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button, Card, Notice } from "../../ui";
import { count, money, percent } from "../../ui/format";
import { costWords, errorsOf } from "../forms/costs";
import { type Faults, placed } from "../forms/field-errors";
import { make } from "./create-project";
import { type Draft, faultsIn, firstFault, STEP_WORDS, type Step } from "./draft";
import { ForecastCard } from "./ForecastCard";
import { goTo, type StepProps } from "./step";

/** All at a glance, what it would cost, and the button that makes it. */
export function CheckStep({ drafting, faults, onRefused }: StepProps & { onRefused: (faults: Faults) => void }) {
  const { draft, file, put } = drafting;
  const [busy, setBusy] = useState(false);
  const lacking = firstFault(faultsIn(draft));
  const ready = lacking === "check" && file !== null;
  const send = () => {
    if (!file) return;
    setBusy(true);
    onRefused({});
    make(draft, file, (project) => put({ made: { project, reading: null } }))
      .then((made) => put({ made }))
      .catch((error: Error) => onRefused(placed(error.message)))
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Summary draft={draft} />
      <ForecastCard drafting={drafting} ready={lacking === "check"} />
      <Refused faults={faults} />
      {lacking !== "check" && <Lacking step={lacking} faults={faultsIn(draft)} />}
      {lacking === "check" && !file && <Lacking step="file" faults={{ file: "The file must be chosen once more." }} />}
      <div class="row apart">
        <Button onClick={() => goTo("money")}>Back</Button>
        <Button look="main" busy={busy} disabled={!ready} onClick={send}>
          {busy ? "Sending…" : "Make the project"}
        </Button>
      </div>
    </>
  );
}

/** What the service refused, and the way to where it can be mended. */
function Refused({ faults }: { faults: Faults }) {
  const told = Object.entries(faults);
  if (!told.length) return null;
  const step = firstFault(faults);
  return (
    <Notice kind="bad">
      <span>{told.map(([, said]) => said).join(" ")}</span>
      {step !== "check" && (
        <Button small onClick={() => goTo(step)}>
          Go to {STEP_WORDS[step].toLowerCase()}
        </Button>
      )}
    </Notice>
  );
}

function Lacking({ step, faults }: { step: Step; faults: Faults }) {
  const first = Object.values(faults)[0];
  return (
    <Notice kind="warn">
      <span>Something is missing: {first}</span>
      <Button small onClick={() => goTo(step)}>
        Go to {STEP_WORDS[step].toLowerCase()}
      </Button>
    </Notice>
  );
}

function Summary({ draft }: { draft: Draft }) {
  const { settings, source } = draft;
  const { crowd, expert } = settings.prices.votes;
  return (
    <Card title={settings.name || "Without a name"}>
      <dl class="design-facts">
        <Fact name="Items" step="file">
          {source
            ? `${source.pasted ? "Pasted texts" : source.name}${source.items === null ? "" : `, about ${count(source.items)}`}`
            : "None yet"}
        </Fact>
        <Fact name={settings.kind === "single" ? "Question" : "Criteria"} step="ask">
          {settings.kind === "single"
            ? `${settings.questions[0]?.text} (${settings.questions[0]?.classes.map((one) => one.name).join(", ")})`
            : settings.questions.map((one) => one.name).join(", ")}
        </Fact>
        <Fact name="Pay" step="people">
          {money(crowd || 0, settings.currency)} per vote
          {expert !== undefined && `, ${money(expert || 0, settings.currency)} of an expert`}
        </Fact>
        <Fact name="Errors" step="money">
          {costsInWords(draft)}
        </Fact>
        <Fact name="Budget" step="money">
          {settings.budget === null ? "No limit" : money(settings.budget, settings.currency)}, {pilotInWords(draft)},{" "}
          {percent(settings.audit_share || 0)} looked at again
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

/** A pilot needs more items than it asks about: the rest is what it foretells. */
function pilotInWords({ settings, source }: Draft): string {
  const asked = settings.pilot.items || 0;
  const few = source?.items !== null && source?.items !== undefined && source.items <= asked;
  return few ? `no pilot: too few items for one of ${count(asked)}` : `pilot of ${count(asked)} items`;
}

function costsInWords({ settings }: Draft): string {
  const words = costWords(settings);
  if (words.how === "own") return "As a program has set them";
  if (words.how === "even") return `A wrong label costs as much as ${count(words.each[0] ?? 0)} labels`;
  return errorsOf(settings)
    .map((error, place) => `${error}: ${count(words.each[place] ?? 0)} labels`)
    .join("; ");
}
