import type { ComponentChildren } from "preact";
import type { Visit } from "../api/types";
import { excludeTakenBack, type View } from "./session/view";
import { plural, progressWords, remainingWords } from "./text";

interface Props {
  visit: Visit;
  view: View;
  children: ComponentChildren;
}

/** The project, the progress and pay of the voter, and whether the page is offline. */
export function TopBar({ visit, view: fullView, children }: Props) {
  const view = excludeTakenBack(fullView, visit.progress.price);
  const { practice, queue } = view;
  const isPractice = (queue.held ?? queue.hand[0])?.lease.practice === true;
  const now = practice.done + (queue.held?.right ? 0 : 1);
  const all = Math.max(now, practice.done + practice.left);
  const words = isPractice
    ? [`Practice ${now} of ${all}`]
    : [...progressWords(visit, view), remainingWords(visit, view)];
  const whole = isPractice ? all : visit.rules.maximum_votes;
  const done = isPractice ? practice.done : view.votes;
  return (
    <header class="top">
      <div class="top-row">
        <h1 class="project">{visit.project}</h1>
        <p class="standing">
          {words.filter(Boolean).map((word) => (
            <span key={word}>{word}</span>
          ))}
        </p>
        <div class="row tools">{children}</div>
      </div>
      {whole ? <progress class="progress" max={whole} value={done} aria-label="Progress" /> : <div class="progress" />}
      <Connection view={view} />
    </header>
  );
}

function Connection({ view }: { view: View }) {
  const waiting = view.queue.outbox.length;
  return (
    <div role="status" class={view.connected ? "" : "connection"}>
      {view.connected
        ? ""
        : `You are offline. You can continue: ${waiting ? `${plural(waiting, "answer")} saved here and sent later` : "your answers are saved here"}.`}
    </div>
  );
}
