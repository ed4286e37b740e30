import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Visit } from "../../api/types";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { classKeys } from "../keys";
import { formatPay, plural, questionText } from "../text";
import { Classes, explains } from "./Guide";
import "./screens.css";

interface ScreenProps {
  title: string;
  above?: string | undefined;
  children: ComponentChildren;
}

/** A page before or after the work. Its first action or title receives the focus, so that it is announced. */
export function Screen({ title, above, children }: ScreenProps) {
  const page = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const first = page.current?.querySelector<HTMLElement>(".begin button") ?? page.current?.querySelector("h1");
    first?.focus({ preventScroll: true });
  }, []);
  return (
    <main class="screen stack" ref={page}>
      <div>
        {above && <p class="soft">{above}</p>}
        <h1 tabIndex={-1}>{title}</h1>
      </div>
      {children}
    </main>
  );
}

interface ConsentProps {
  visit: Visit;
  onAgree: () => Promise<void>;
}

export function Consent({ visit, onAgree }: ConsentProps) {
  const [state, setState] = useState<"asked" | "busy" | "declined">("asked");
  const [wrong, setWrong] = useState("");
  const { text, url } = visit.consent;
  if (state === "declined")
    return (
      <Screen title="You declined to take part" above={visit.project}>
        <p>Nothing about you was stored. You can close this page.</p>
        <div class="row">
          <Button onClick={() => setState("asked")}>Review the consent form</Button>
        </div>
      </Screen>
    );
  const agree = () => {
    setState("busy");
    onAgree().catch((error: Error) => {
      setWrong(error.message);
      setState("asked");
    });
  };
  return (
    <Screen title="Informed consent" above={visit.project}>
      {text && <p class="plain card">{text}</p>}
      {url && (
        <p>
          Please read the{" "}
          <a href={url} target="_blank" rel="noreferrer">
            consent form
          </a>{" "}
          (opens in a new tab).
        </p>
      )}
      {wrong && <Notice kind="bad">{wrong}</Notice>}
      <div class="row big">
        <Button look="main" busy={state === "busy"} onClick={agree}>
          I agree to take part
        </Button>
        <Button onClick={() => setState("declined")}>Decline</Button>
      </div>
    </Screen>
  );
}

/** The instructions, the questions with their answers, and the conditions. */
export function Instructions({ visit, onStart }: { visit: Visit; onStart: () => void }) {
  const { practice_left: practice, price } = visit.progress;
  const most = visit.rules.maximum_votes;
  return (
    <Screen title={visit.project}>
      {visit.instructions && <p class="plain">{visit.instructions}</p>}
      {visit.questions.map((question) => (
        <section key={question.name} class="card" aria-label={questionText(question)}>
          <h2>{questionText(question)}</h2>
          {explains(question) ? (
            <Classes question={question} keys={classKeys(question.classes)} />
          ) : (
            <p>{question.classes.map((spec) => spec.name).join(" · ")}</p>
          )}
        </section>
      ))}
      <ul class="facts">
        {visit.voter.kind === "expert" && (
          <li>
            You take part as an expert. Difficult items come first, and you see the other votes after each answer.
          </li>
        )}
        <li>
          Select an answer<span class="with-keys"> or press its key</span>. It is saved immediately and the next item
          appears.
          <span class="with-keys"> Press Backspace to undo the last answer.</span>
        </li>
        {practice > 0 && (
          <li>
            You start with {plural(practice, "practice item")}: correct answers are shown, and practice is not paid.
          </li>
        )}
        {price > 0 && <li>You earn {formatPay(price, visit)} per answer.</li>}
        {most !== null && <li>You can submit up to {plural(most, "answer")}.</li>}
        <li>You can stop at any time. Submitted answers count.</li>
      </ul>
      <div class="row big begin">
        <Button look="main" onClick={onStart}>
          {practice > 0 ? "Start practice" : "Start"}
        </Button>
      </div>
    </Screen>
  );
}

/** What a panel shows to people who have not accepted the task yet. */
export function Preview() {
  return (
    <Screen title="Preview">
      <p>Accept the task on the panel to start. The items will then appear here.</p>
    </Screen>
  );
}

interface TroubleProps {
  title?: string | undefined;
  message: string;
  onRetry?: () => void;
}

export function ErrorScreen({ title = "Something went wrong", message, onRetry }: TroubleProps) {
  return (
    <Screen title={title}>
      <Notice kind="bad">{message}</Notice>
      {onRetry && (
        <div class="row">
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </Screen>
  );
}
