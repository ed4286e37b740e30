import { useState } from "preact/hooks";
import { type Overview, type Project, post, useSending } from "../../api";
import { Bar, Button, Card, Notice } from "../../ui";
import { count } from "../../ui/format";
import { Invite } from "../invite/Invite";
import { go } from "../router";
import { AddItems } from "./AddItems";
import { actionLabel, LEADS_TO } from "./actions";
import { Checklist } from "./Checklist";
import { Confirm } from "./Confirm";
import { Exports } from "./Exports";
import { openCount, sumStatuses } from "./status-counts";
import { type Action, nextStep, type ProjectStatus } from "./steps";

interface Props {
  project: Project;
  overview: Overview;
  at: ProjectStatus;
  reload: () => void;
}

const PLAIN_ACTIONS: Action[] = ["pause", "end"]; // never highlighted

/** The next step for the requester; the first button is the recommended action. */
export function NextStep({ project, overview, at, reload }: Props) {
  const [open, setOpen] = useState<Action | null>(null);
  const [moving, setMoving] = useState<Action | null>(null);
  const { busy, problem, send } = useSending();
  const { title, text, actions, done } = nextStep(at);
  const move = (action: Action) => {
    setMoving(action);
    send(post(`/api/projects/${project.id}/state`, { state: LEADS_TO[action] }), reload);
  };
  const act = (action: Action) => {
    if (action === "estimate") go(`/projects/${project.id}/estimate`);
    else if (LEADS_TO[action] && action !== "end" && action !== "close-pilot") move(action);
    else setOpen(action);
  };
  const shut = () => setOpen(null);
  return (
    <>
      <Card>
        <div class="next-step">
          <div class="stack" role="status">
            <h2>{title}</h2>
            <p>{text}</p>
            {done && <Done {...done} />}
          </div>
          <div class="row">
            {actions.map((action, index) => (
              <Button
                key={action}
                look={index === 0 && !PLAIN_ACTIONS.includes(action) ? "main" : undefined}
                busy={busy && moving === action}
                onClick={() => act(action)}
              >
                {actionLabel(action, overview.state)}
              </Button>
            ))}
          </div>
        </div>
        {problem && <Notice kind="bad">{problem}</Notice>}
      </Card>
      {overview.state === "draft" && <Checklist project={project} overview={overview} act={setOpen} />}
      {open === "invite" && <Invite project={project} onClose={shut} />}
      {open === "upload" && <AddItems project={project} onClose={shut} />}
      {open === "export" && <Exports project={project} state={overview.state} onClose={shut} />}
      {(open === "end" || open === "close-pilot") && (
        <Confirm action={open} left={openCount(sumStatuses(overview.tasks))} onYes={() => move(open)} onClose={shut} />
      )}
    </>
  );
}

function Done({ n, of }: { n: number; of: number }) {
  const parts = [
    { name: "Decided", n, tone: "var(--accent)" },
    { name: "Open", n: of - n, tone: "var(--sunken)" },
  ];
  return (
    <div class="pilot-done">
      <Bar label="Pilot" parts={parts} />
      <span class="small soft">
        {count(n)} of {count(of)} answers
      </span>
    </div>
  );
}
