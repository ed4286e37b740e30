import { Button } from "../ui/Button";
import { Answers } from "./Answers";
import { Feedback } from "./Feedback";
import { Key } from "./Key";
import type { VoterSession } from "./session/voter-session";
import type { CurrentItem } from "./useCurrentItem";

/** The answers, within reach of a thumb; in practice, the feedback takes their place. */
export function AnswerBar({ session, current }: { session: VoterSession; current: CurrentItem }) {
  const { held } = session.view.queue;
  const { question, keys, actionKeys: actions, busy, again, last, give } = current;
  const showsFeedback = held !== null && held.right !== null;
  const mayUndo = last !== undefined && !last.final;
  return (
    <div class="reach">
      <div class="answer-bar" inert={showsFeedback}>
        <Answers
          classes={question.classes}
          keys={keys}
          chosen={again?.label ?? held?.label}
          busy={busy}
          onChoose={(label) => give(label, "vote")}
        />
        <div class="row quiet">
          <Button small disabled={busy} onClick={() => give(null, "unsure")}>
            Unsure <Key name={actions.unsure} />
          </Button>
          <Button small disabled={busy} onClick={() => give(null, "skip")}>
            Skip <Key name={actions.skip} />
          </Button>
          <Button small disabled={!mayUndo} onClick={() => session.undo()}>
            Undo {mayUndo && <span class="soft clamp">{last.label ?? last.said}</span>} <Key name="backspace" />
          </Button>
        </div>
      </div>
      {showsFeedback && <Feedback held={held} question={question} onNext={() => session.continueAfterFeedback()} />}
    </div>
  );
}
