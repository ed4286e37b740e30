import { Button } from "../ui/Button";
import { Answers } from "./Answers";
import { Feedback } from "./Feedback";
import { Key } from "./Key";
import type { Turn } from "./useCurrentItem";
import type { Desk } from "./voter-session";

/** The answers, within reach of a thumb; in practice, what would have been right takes their room. */
export function Bottom({ desk, turn }: { desk: Desk; turn: Turn }) {
  const { held } = desk.view.queue;
  const { question, keys, own, busy, again, last, give } = turn;
  const isTold = held !== null && held.right !== null;
  const mayUndo = last !== undefined && !last.final;
  return (
    <div class="reach">
      <div class="bottom" inert={isTold}>
        <Answers
          classes={question.classes}
          keys={keys}
          chosen={again?.label ?? held?.label}
          busy={busy}
          onChoose={(label) => give(label, "vote")}
        />
        <div class="row quiet">
          <Button small disabled={busy} onClick={() => give(null, "unsure")}>
            Unsure <Key name={own.unsure} />
          </Button>
          <Button small disabled={busy} onClick={() => give(null, "skip")}>
            Skip <Key name={own.skip} />
          </Button>
          <Button small disabled={!mayUndo} onClick={() => desk.undo()}>
            Undo {mayUndo && <span class="soft clamp">{last.label ?? last.said}</span>} <Key name="backspace" />
          </Button>
        </div>
      </div>
      {isTold && <Feedback held={held} question={question} onNext={() => desk.goOn()} />}
    </div>
  );
}
