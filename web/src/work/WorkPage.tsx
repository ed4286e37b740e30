import { useState } from "preact/hooks";
import type { Question, Visit } from "../api/types";
import { Button } from "../ui/Button";
import { Bottom } from "./AnswerBar";
import { Grid } from "./Grid";
import { explains, guideTitle } from "./Guide";
import { Asked } from "./ItemPane";
import { Key } from "./Key";
import { KeysDialog, otherKeys } from "./KeysDialog";
import { Notices } from "./Notices";
import { NotTold, Told, useTold } from "./OthersVotes";
import { Side } from "./Sidebar";
import type { WorkService } from "./service";
import { TopBar } from "./TopBar";
import { ToRead } from "./ToRead";
import { type Turn, useTurn } from "./useCurrentItem";
import { useKeys } from "./useKeys";
import { useWide } from "./useWide";
import type { Desk } from "./voter-session";
import { asked, described } from "./words";

const BEFORE = "The item before";

interface Props {
  visit: Visit;
  desk: Desk;
  service: WorkService;
  onFinish: () => void;
}

/** One item after the other, or for experts many images at once. */
export function WorkPage({ visit, desk, service, onFinish }: Props) {
  const turn = useTurn(visit, desk);
  const isExpert = visit.voter.kind === "expert";
  const isExplained = visit.questions.some(explains);
  const wide = useWide() && (isExpert || isExplained); // for all of the visit, so that nothing moves
  const help = guideTitle(visit);
  const [guide, setGuide] = useState(wide && isExplained);
  const [showsTold, setShowsTold] = useState(wide);
  const [showsKeys, setShowsKeys] = useState(false);
  const [wantsGrid, setGrid] = useState(false);
  const told = useTold(service, desk, turn.last, isExpert);
  const mayGrid = isExpert && turn.images.length > 1 && !turn.busy;
  const grid = wantsGrid && mayGrid && !turn.again; // what is taken back is shown by itself
  const { own, question, keys } = turn;
  useKeys({
    ...(grid ? {} : answerKeys(turn)),
    backspace: () => desk.undo(),
    ...(guide ? { escape: () => setGuide(false) } : {}),
    "?": () => setShowsKeys(true),
    ...(help ? { [own.guide ?? ""]: () => setGuide((now) => !now) } : {}),
    [own.told ?? ""]: () => (wide || told) && setShowsTold((now) => !now),
    ...(mayGrid ? { [own.grid ?? ""]: () => setGrid((now) => !now) } : {}),
  });
  const before = told && turn.last && <Told told={told} last={turn.last} base={service.base(turn.last.lease.task)} />;
  return (
    <div class={`work ${wide ? "beside" : ""}`}>
      <TopBar visit={visit} view={desk.view}>
        {mayGrid && (
          <Button small aria-pressed={grid} onClick={() => setGrid(!grid)}>
            Grid <Key name={own.grid} />
          </Button>
        )}
        {help && (
          <Button small aria-pressed={guide} onClick={() => setGuide(!guide)}>
            Help <Key name={own.guide} />
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
      <main class="desk">
        <Notices desk={desk} turn={turn} />
        {!wide && isExpert && (
          <div class="row">
            <Button small disabled={!before} onClick={() => setShowsTold(true)}>
              What others said of the item before
            </Button>
          </div>
        )}
        {grid ? (
          <Grid turn={turn} base={(task) => service.base(task)} />
        ) : (
          <>
            <Asked turn={turn} next={nextOf(desk)} step={stepOf(visit, question)} base={(task) => service.base(task)} />
            <Bottom desk={desk} turn={turn} />
          </>
        )}
      </main>
      <Side visit={visit} turn={turn} wide={wide} guide={guide} onClose={() => setGuide(false)}>
        {isExpert && showsTold && (before ? [<h2 key="title">{BEFORE}</h2>, before] : <NotTold />)}
      </Side>
      {!wide && before && showsTold && (
        <ToRead title={BEFORE} onClose={() => setShowsTold(false)}>
          {before}
        </ToRead>
      )}
      {showsKeys && (
        <KeysDialog
          question={question}
          keys={keys}
          others={otherKeys(turn, { mayGrid, isExpert, grid, help })}
          onClose={() => setShowsKeys(false)}
        />
      )}
      <div class="unseen" aria-live="polite">
        {turn.busy ? "" : `${asked(question)} ${described(turn.lease)}`}
      </div>
    </div>
  );
}

function answerKeys({ question, keys, own, give }: Turn): Record<string, () => void> {
  const classes = question.classes.map((one, place) => [keys[place] ?? "", () => give(one.name, "vote")]);
  return {
    ...Object.fromEntries(classes),
    [own.skip ?? ""]: () => give(null, "skip"),
    [own.unsure ?? ""]: () => give(null, "unsure"),
  };
}

/** Which of several criteria this is. */
function stepOf(visit: Visit, question: Question): string {
  if (visit.questions.length < 2) return "";
  return `${visit.questions.indexOf(question) + 1} of ${visit.questions.length}`;
}

function nextOf({ view }: Desk) {
  return view.queue.hand[view.queue.held ? 0 : 1]?.lease;
}
