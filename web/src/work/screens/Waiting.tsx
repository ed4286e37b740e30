import { useEffect, useState } from "preact/hooks";
import type { Visit } from "../../api/types";
import { Button } from "../../ui/Button";
import type { WorkService } from "../session/service";
import type { View } from "../session/view";
import type { VoterSession } from "../session/voter-session";
import { plural, progressWords } from "../text";
import { useKeys } from "../useKeys";
import { Screen } from "./Screens";

const AT_WORK = ["pilot", "running"];
const KEEP_OPEN = "Keep this page open: new items appear automatically.";

interface Props {
  session: VoterSession;
  service: WorkService;
  onFinish: () => void;
}

/** Shown while no items are available; the page asks again automatically. */
export function Waiting({ session, service, onFinish }: Props) {
  const { visit, view } = session;
  const last = view.queue.given.at(-1);
  const mayUndo = session.noUndo === null;
  useKeys(mayUndo ? { backspace: () => session.undo() } : {});
  const isPaused = !AT_WORK.includes(useProjectState(visit, service, view));
  const [title, words] = !view.connected
    ? ["You are offline", offlineWords(view)]
    : isPaused
      ? ["The project is paused", "Keep this page open: work resumes automatically."]
      : ["No items right now", nothingWords(view)];
  return (
    <Screen key={title} title={title} above={visit.project}>
      <p role="status">{words}</p>
      <p class="looking" aria-hidden="true">
        <span />
        <span />
        <span />
      </p>
      <p class="soft">{progressWords(visit, view).join(", ")}</p>
      <div class="row">
        {mayUndo && (
          <Button onClick={() => session.undo()}>
            {last?.said === "skip" ? "Answer the skipped item" : "Change the last answer"}
          </Button>
        )}
        <Button onClick={onFinish}>Finish for now</Button>
      </div>
    </Screen>
  );
}

/** Returns the state of the project, loaded whenever the page has asked for items. */
function useProjectState(visit: Visit, service: WorkService, view: View): Visit["state"] {
  const [state, setState] = useState(visit.state);
  useEffect(() => {
    if (!view.connected) return;
    service.visit().then(
      (latest) => setState(latest.state),
      () => {}, // the next request for items reports the problem
    );
  }, [service, view]);
  return state;
}

function offlineWords({ queue }: View): string {
  const unsent = queue.outbox.length;
  const what = unsent ? `${plural(unsent, "answer")} saved here will be sent` : "Work resumes";
  return `${what} as soon as the connection is back.`;
}

function nothingWords({ votes, queue }: View): string {
  const skipped = queue.given.filter((answer) => answer.said === "skip" && !answer.final).length;
  if (skipped)
    return `No other items for you right now. Others will answer what you skipped (${plural(skipped, "item")}). ${KEEP_OPEN}`;
  if (votes || queue.given.length) return `You have answered everything available right now. ${KEEP_OPEN}`;
  return `New items may arrive at any time. ${KEEP_OPEN}`;
}
