import { useEffect, useState } from "preact/hooks";
import { Problem } from "../api/call";
import type { Visit } from "../api/types";
import { Button } from "../ui/Button";
import { Done } from "./screens/Done";
import { Consent, ErrorScreen, Instructions, Preview, Screen } from "./screens/Screens";
import { Waiting } from "./screens/Waiting";
import { arrivalOf, isFramed } from "./session/arrival";
import type { Practice } from "./session/progress";
import { WorkService } from "./session/service";
import { useVoterSession } from "./useVoterSession";
import { WorkPage } from "./WorkPage";
import "./work.css";

const NO_LINK = "Open the full link that you were sent: it identifies you.";
const ENDED = "Your session has expired. Open your link again: your answers are saved.";

/** The voter's page: consent, instructions and work. */
export function Work() {
  const [service] = useState(() => new WorkService(Number(location.pathname.split("/")[2]), arrivalOf(location.hash)));
  const [visit, setVisit] = useState<Visit | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [begun, setBegun] = useState(false);
  const { link, preview } = service.arrival;
  const loadVisit = async () => {
    try {
      const latest = await service.visit();
      setProblem(null);
      setVisit(latest);
    } catch (error) {
      if (error instanceof Problem) setProblem(error);
    }
  };
  /** Handles a refusal: failed checks or a new consent version show their screen, everything else an error. */
  const handleRefusal = async (refused: Problem) => {
    const latest = refused.status === 403 ? await service.visit().catch(() => null) : null;
    if (latest && (!latest.consent.agreed || isExcluded(latest))) setVisit(latest);
    else setProblem(refused);
  };
  const enter = async () => {
    try {
      await service.open();
      // in a frame the address stays, so that the page can be reloaded: there is no cookie, and nobody sees it
      if (location.hash && !isFramed()) history.replaceState(null, "", location.pathname);
    } catch (error) {
      return error instanceof Problem && setProblem(error);
    }
    await loadVisit();
  };
  useEffect(() => {
    if (!preview) void enter();
    const another = () => location.hash && location.reload(); // another link in the same tab
    window.addEventListener("hashchange", another);
    return () => window.removeEventListener("hashchange", another);
  }, []);
  useEffect(() => {
    if (visit) document.title = visit.project;
  }, [visit]);
  if (preview) return <Preview />;
  if (problem) {
    const message = problem.status !== 401 ? problem.message : visit ? ENDED : NO_LINK;
    if (problem.isTemporary) return <ErrorScreen message={message} onRetry={enter} />;
    return <ErrorScreen title={!visit && link ? "This link is not valid" : undefined} message={message} />;
  }
  if (!visit) return <p class="loading">Loading…</p>;
  if (!visit.consent.agreed)
    return <Consent visit={visit} onAgree={() => service.agree(visit.consent.version ?? "").then(loadVisit)} />;
  if (isExcluded(visit)) return <Ended visit={visit} service={service} />;
  const isBack = visit.progress.votes + visit.progress.practised > 0;
  if (!begun && !isBack) return <Instructions visit={visit} onStart={() => setBegun(true)} />;
  return <Working visit={visit} service={service} onLost={handleRefusal} />;
}

function isExcluded(visit: Visit): boolean {
  return ["failed", "blocked"].includes(visit.voter.state);
}

function Ended({ visit, service }: { visit: Visit; service: WorkService }) {
  return (
    <Done visit={visit} service={service} votes={visit.progress.votes} earned={visit.progress.earned} unsent={0} />
  );
}

interface AtWorkProps {
  visit: Visit;
  service: WorkService;
  onLost: (refused: Problem) => void;
}

function Working({ visit, service, onLost }: AtWorkProps) {
  const session = useVoterSession(visit, service);
  const { view } = session;
  const { hand, held, outbox } = view.queue;
  const [isReady, setReady] = useState(false);
  const [finished, setFinished] = useState(false);
  const practised = view.practice.done - visit.progress.practised; // since the page was opened
  const isPractice = hand[0] ? hand.some((entry) => entry.lease.practice) : view.practice.left > 0;
  useEffect(() => {
    if (view.phase === "ended" && view.problem) onLost(view.problem);
    else if (view.phase === "failed") onLost(new Problem(403, "No more items are available for you in this project."));
  }, [view.phase]);
  const finish = () => {
    setFinished(true);
    session.finish();
  };
  if (view.phase === "ended" || view.phase === "failed") return <p class="loading">Loading…</p>;
  if (finished || (view.phase === "done" && !hand.length && !held))
    return (
      <Done
        visit={visit}
        service={service}
        votes={view.votes}
        earned={view.earned}
        unsent={outbox.length}
        onMore={finished ? () => location.reload() : undefined}
      />
    );
  if (practised > 0 && !isPractice && !held && !isReady)
    return <PracticeDone practice={view.practice} onStart={() => setReady(true)} />;
  if (hand.length || held) return <WorkPage visit={visit} session={session} service={service} onFinish={finish} />;
  if (view.connected && view.phase !== "wait") return <p class="loading">Loading…</p>;
  return <Waiting session={session} service={service} onFinish={finish} />;
}

function PracticeDone({ practice, onStart }: { practice: Practice; onStart: () => void }) {
  const { right, wrong } = practice;
  return (
    <Screen title="Practice complete">
      <p>
        {right + wrong > 0 && `${right} of ${right + wrong} correct. `}From now on your answers count, and correct
        answers are no longer shown.
      </p>
      <div class="row big begin">
        <Button look="main" onClick={onStart}>
          Start working
        </Button>
      </div>
    </Screen>
  );
}
