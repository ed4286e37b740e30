import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Visit } from "../api/types";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { Classes, explains } from "./Guide";
import { classKeys } from "./keys";
import { formatPay, plural, questionText } from "./text";
import "./screens.css";

interface ScreenProps {
  title: string;
  above?: string | undefined;
  children: ComponentChildren;
}

/** A page of its own before or after the work. What begins it gets the focus, else the title, so that it is read. */
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
      <Screen title="That is all right" above={visit.project}>
        <p>You take no part, and nothing about you was kept. You can close this page.</p>
        <div class="row">
          <Button onClick={() => setState("asked")}>Read it again</Button>
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
    <Screen title="Before you begin" above={visit.project}>
      {text && <p class="plain card">{text}</p>}
      {url && (
        <p>
          Please read{" "}
          <a href={url} target="_blank" rel="noreferrer">
            what you agree to
          </a>{" "}
          (opens in a new tab).
        </p>
      )}
      {wrong && <Notice kind="bad">{wrong}</Notice>}
      <div class="row big">
        <Button look="main" busy={state === "busy"} onClick={agree}>
          I agree, and take part
        </Button>
        <Button onClick={() => setState("declined")}>No, thank you</Button>
      </div>
    </Screen>
  );
}

/** What is asked, what the answers mean, and what comes. */
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
            You are asked as an expert: the hard items come first, and you see what others said after each answer.
          </li>
        )}
        <li>
          Tap an answer<span class="with-keys"> or press its key</span>: it is kept at once, and the next item comes.
          <span class="with-keys"> Backspace takes the last answer back.</span>
        </li>
        {practice > 0 && (
          <li>First {plural(practice, "item")} to practise: you see the right answer, nothing is paid yet.</li>
        )}
        {price > 0 && <li>Each answer is paid with {formatPay(price, visit)}.</li>}
        {most !== null && <li>You can give up to {plural(most, "answer")}.</li>}
        <li>Stop whenever you like: what you have answered counts.</li>
      </ul>
      <div class="row big begin">
        <Button look="main" onClick={onStart}>
          {practice > 0 ? "Start with practice" : "Start"}
        </Button>
      </div>
    </Screen>
  );
}

/** What a panel shows to those who have not accepted yet. */
export function Preview() {
  return (
    <Screen title="This is a preview">
      <p>Accept the task at the panel to begin: the items then come here, one after the other.</p>
    </Screen>
  );
}

interface TroubleProps {
  title?: string | undefined;
  message: string;
  onRetry?: () => void;
}

export function ErrorScreen({ title = "This does not work yet", message, onRetry }: TroubleProps) {
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
