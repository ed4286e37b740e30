import { useState } from "preact/hooks";
import type { Question, Visit } from "../api/types";
import { Button } from "../ui/Button";
import { AnswerBar } from "./AnswerBar";
import { Grid } from "./Grid";
import { ItemPane } from "./ItemPane";
import { Key } from "./Key";
import { KeysDialog, otherKeys } from "./KeysDialog";
import { Notices } from "./Notices";
import { NoAnswerYet, OthersVotes, useOthersVotes } from "./OthersVotes";
import { ReadingDialog } from "./ReadingDialog";
import { Sidebar } from "./Sidebar";
import { explains, guideTitle } from "./screens/Guide";
import type { WorkService } from "./session/service";
import type { VoterSession } from "./session/voter-session";
import { TopBar } from "./TopBar";
import { describeItem, questionText } from "./text";
import { type CurrentItem, useCurrentItem } from "./useCurrentItem";
import { useKeys } from "./useKeys";
import { useWide } from "./useWide";

const BEFORE = "Previous item";

interface Props {
  visit: Visit;
  session: VoterSession;
  service: WorkService;
  onFinish: () => void;
}

/** One item after another, or an image grid for experts. */
export function WorkPage({ visit, session, service, onFinish }: Props) {
  const current = useCurrentItem(visit, session);
  const isExpert = visit.voter.kind === "expert";
  const isExplained = visit.questions.some(explains);
  const wide = useWide() && (isExpert || isExplained); // for the whole visit, so that nothing moves
  const help = guideTitle(visit);
  const [guide, setGuide] = useState(wide && isExplained);
  const [showsVotes, setShowsVotes] = useState(wide);
  const [showsKeys, setShowsKeys] = useState(false);
  const [wantsGrid, setGrid] = useState(false);
  const report = useOthersVotes(service, session, current.last, isExpert);
  const mayGrid = isExpert && current.images.length > 1 && !current.busy;
  const grid = wantsGrid && mayGrid && !current.again; // an undone item is shown alone
  const { actionKeys: actions, question, keys } = current;
  useKeys({
    ...(grid ? {} : answerKeys(current)),
    backspace: () => session.undo(),
    ...(guide ? { escape: () => setGuide(false) } : {}),
    "?": () => setShowsKeys(true),
    ...(help ? { [actions.guide ?? ""]: () => setGuide((now) => !now) } : {}),
    [actions.votes ?? ""]: () => (wide || report) && setShowsVotes((now) => !now),
    ...(mayGrid ? { [actions.grid ?? ""]: () => setGrid((now) => !now) } : {}),
  });
  const before = report && current.last && (
    <OthersVotes report={report} last={current.last} base={service.base(current.last.lease.task)} />
  );
  return (
    <div class={`work ${wide ? "beside" : ""}`}>
      <TopBar visit={visit} view={session.view}>
        {mayGrid && (
          <Button small aria-pressed={grid} onClick={() => setGrid(!grid)}>
            Grid <Key name={actions.grid} />
          </Button>
        )}
        {help && (
          <Button small aria-pressed={guide} onClick={() => setGuide(!guide)}>
            Help <Key name={actions.guide} />
          </Button>
        )}
        <span class="with-keys">
          <Button small onClick={() => setShowsKeys(true)}>
            Keys <Key name="?" />
          </Button>
        </span>
        <Button small onClick={onFinish}>
          Finish
        </Button>
      </TopBar>
      <main class="workspace">
        <Notices session={session} current={current} />
        {!wide && isExpert && (
          <div class="row">
            <Button small disabled={!before} onClick={() => setShowsVotes(true)}>
              Other votes on the previous item
            </Button>
          </div>
        )}
        {grid ? (
          <Grid current={current} base={(task) => service.base(task)} />
        ) : (
          <>
            <ItemPane
              current={current}
              next={nextOf(session)}
              step={stepOf(visit, question)}
              base={(task) => service.base(task)}
            />
            <AnswerBar session={session} current={current} />
          </>
        )}
      </main>
      <Sidebar visit={visit} current={current} wide={wide} guide={guide} onClose={() => setGuide(false)}>
        {isExpert && showsVotes && (before ? [<h2 key="title">{BEFORE}</h2>, before] : <NoAnswerYet />)}
      </Sidebar>
      {!wide && before && showsVotes && (
        <ReadingDialog title={BEFORE} onClose={() => setShowsVotes(false)}>
          {before}
        </ReadingDialog>
      )}
      {showsKeys && (
        <KeysDialog
          question={question}
          keys={keys}
          others={otherKeys(current, { mayGrid, isExpert, grid, help })}
          onClose={() => setShowsKeys(false)}
        />
      )}
      <div class="unseen" aria-live="polite">
        {current.busy ? "" : `${questionText(question)} ${describeItem(current.lease)}`}
      </div>
    </div>
  );
}

function answerKeys({ question, keys, actionKeys: own, give }: CurrentItem): Record<string, () => void> {
  const classes = question.classes.map((spec, index) => [keys[index] ?? "", () => give(spec.name, "vote")]);
  return {
    ...Object.fromEntries(classes),
    [own.skip ?? ""]: () => give(null, "skip"),
    [own.unsure ?? ""]: () => give(null, "unsure"),
  };
}

/** Returns the number of the criterion among several. */
function stepOf(visit: Visit, question: Question): string {
  if (visit.questions.length < 2) return "";
  return `${visit.questions.indexOf(question) + 1} of ${visit.questions.length}`;
}

function nextOf({ view }: VoterSession) {
  return view.queue.hand[view.queue.held ? 0 : 1]?.lease;
}
