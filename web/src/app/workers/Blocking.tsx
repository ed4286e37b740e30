import { useState } from "preact/hooks";
import { post, useSending, type Worker } from "../../api";
import { Button, Dialog, Notice } from "../../ui";
import { mayVote, votesText } from "./badge-text";

interface Props {
  worker: Worker;
  project: number;
  onDone: () => void;
}

/** Blocks or unblocks a worker after a confirmation that explains the effect. */
export function Blocking({ worker, project, onDone }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button small onClick={() => setAsking(true)} aria-label={`${verb(worker)} ${worker.code}`}>
        {verb(worker)}…
      </Button>
      {asking && <Confirm worker={worker} project={project} onDone={onDone} onClose={() => setAsking(false)} />}
    </>
  );
}

function verb(worker: Worker): string {
  return mayVote(worker.state) ? "Block" : "Unblock";
}

function Confirm({ worker, project, onDone, onClose }: Props & { onClose: () => void }) {
  const { busy, problem, send } = useSending();
  const blocks = mayVote(worker.state);
  const act = () =>
    send(post(`/api/projects/${project}/workers/${worker.id}/${blocks ? "block" : "unblock"}`), () => {
      onClose();
      onDone();
    });
  return (
    <Dialog title={`${verb(worker)} ${worker.code}?`} onClose={onClose}>
      {blocks ? <Blocked votes={worker.votes} /> : <Unblocked votes={worker.votes} />}
      {problem && <Notice kind="bad">{problem}</Notice>}
      <div class="row">
        <Button look={blocks ? "danger" : "main"} busy={busy} onClick={act}>
          {verb(worker)}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

function Blocked({ votes }: { votes: number }) {
  return (
    <>
      <p>
        They can no longer vote, and their assigned items go to others immediately. Their {votesText(votes)} no longer
        count: the affected items are decided again without them, and reopened if the other votes are not enough.
      </p>
      <p>Earned pay is kept. You can unblock them later.</p>
    </>
  );
}

function Unblocked({ votes }: { votes: number }) {
  return <p>They can vote again, and their {votesText(votes)} count again. The affected items are decided again.</p>;
}
