import { useEffect, useState } from "preact/hooks";
import type { Visit } from "../api/types";
import { Button } from "../ui/Button";
import { Screen } from "./Screens";
import type { WorkService } from "./service";
import { useKeys } from "./useKeys";
import type { View } from "./view";
import type { Desk } from "./voter-session";
import { plural, standing } from "./words";

const AT_WORK = ["pilot", "running"];
const LOOKS = "Leave this page open: new items appear by themselves.";

interface Props {
  desk: Desk;
  service: WorkService;
  onFinish: () => void;
}

/** Nothing to do at the moment: the page asks again by itself. */
export function Waiting({ desk, service, onFinish }: Props) {
  const { visit, view } = desk;
  const last = view.queue.given.at(-1);
  const mayUndo = desk.noUndo === null;
  useKeys(mayUndo ? { backspace: () => desk.undo() } : {});
  const isPaused = !AT_WORK.includes(useProjectState(visit, service, view));
  const [title, words] = !view.connected
    ? ["No connection", offlineWords(view)]
    : isPaused
      ? ["The project is paused", "Leave this page open: it goes on by itself."]
      : ["Nothing to do right now", nothingWords(view)];
  return (
    <Screen key={title} title={title} above={visit.project}>
      <p role="status">{words}</p>
      <p class="looking" aria-hidden="true">
        <span />
        <span />
        <span />
      </p>
      <p class="soft">{standing(visit, view).join(", ")}</p>
      <div class="row">
        {mayUndo && (
          <Button onClick={() => desk.undo()}>
            {last?.said === "skip" ? "Answer the skipped item" : "Change the last answer"}
          </Button>
        )}
        <Button onClick={onFinish}>Finish for now</Button>
      </div>
    </Screen>
  );
}

/** Whether the project asks at all, looked up whenever the page has asked for work. */
function useProjectState(visit: Visit, service: WorkService, view: View): Visit["state"] {
  const [state, setState] = useState(visit.state);
  useEffect(() => {
    if (!view.connected) return;
    service.visit().then(
      (found) => setState(found.state),
      () => {}, // the next call for work says what is wrong
    );
  }, [service, view]);
  return state;
}

function offlineWords({ queue }: View): string {
  const unsent = queue.outbox.length;
  const what = unsent ? `${plural(unsent, "answer")} kept here, to be sent` : "The work goes on";
  return `${what} as soon as the connection is back.`;
}

function nothingWords({ votes, queue }: View): string {
  const skipped = queue.given.filter((one) => one.said === "skip" && !one.final).length;
  if (skipped)
    return `There is nothing else to ask you now. What you skipped (${plural(skipped, "item")}) is left to others. ${LOOKS}`;
  if (votes || queue.given.length) return `You have answered all that can be asked of you now. ${LOOKS}`;
  return `New items may come at any moment. ${LOOKS}`;
}
