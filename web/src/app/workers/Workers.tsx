import { useState } from "preact/hooks";
import type { Project, Worker } from "../../api";
import { Button, ButtonLink, Card, Empty, Field, Notice } from "../../ui";
import { count, money } from "../../ui/format";
import { Invite } from "../invite/Invite";
import { useProject } from "../project-context";
import { go, useRoute } from "../router";
import { formatOrder, nextOrder, type Order, parseOrder, sortWorkers } from "./sorting";
import { useWorkers } from "./useWorkers";
import { WorkersTable } from "./WorkersTable";
import "./workers.css";

const ROWS = 100; // rendered at once; all loaded workers are sorted and searched

/** The workers of the project: accuracy, speed, spam and pay. */
export function Workers() {
  const { project, session } = useProject();
  const { query } = useRoute();
  const { workers, problem, left, more, reload } = useWorkers();
  const [shown, setShown] = useState(ROWS);
  const order = parseOrder(query.get("sort"));
  const search = query.get("search") ?? "";
  const mayAct = session.role === "owner" || session.role === "requester";
  const look = (order: Order, search: string) => {
    const params = new URLSearchParams({ sort: formatOrder(order), ...(search && { search }) });
    go(`/projects/${project.id}/workers?${params}`, { replace: true });
  };
  if (!workers) return problem ? <Notice kind="bad">{problem.message}</Notice> : <p class="loading">Loading…</p>;
  const invite = mayAct && <InviteButton project={project} onDone={reload} />;
  if (workers.length === 0)
    return (
      <Empty>
        <p>No workers yet. Workers appear here when they have a link or arrive from a panel.</p>
        {invite}
      </Empty>
    );
  const matching = sortWorkers(workers, order).filter((worker) =>
    worker.code.toLowerCase().includes(search.trim().toLowerCase()),
  );
  return (
    <div class="stack">
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      <div class="workers-query">
        <Field
          label="Search"
          type="search"
          placeholder="Worker code"
          value={search}
          onInput={(event) => look(order, event.currentTarget.value)}
        />
        <p class="soft" role="status">
          {countText(matching, workers.length, left)}
        </p>
        {invite}
      </div>
      <WorkersTable
        workers={matching.slice(0, shown)}
        project={project}
        order={order}
        onOrder={(by) => look(nextOrder(order, by), search)}
        mayAct={mayAct}
        onChanged={reload}
      />
      <div class="row">
        {matching.length > shown && <Button onClick={() => setShown(shown + ROWS)}>Show {ROWS} more</Button>}
        {left && <Button onClick={more}>Load 1,000 more workers</Button>}
      </div>
      <Pay workers={workers} left={left} project={project.id} currency={project.settings.currency} mayAct={mayAct} />
    </div>
  );
}

function countText(matching: Worker[], loaded: number, left: boolean): string {
  const all = left ? `the first ${count(loaded)}` : count(loaded);
  if (matching.length < loaded) return `${count(matching.length)} of ${all}`;
  return left ? `The first ${count(loaded)}` : `${all} in total`;
}

function InviteButton({ project, onDone }: { project: Project; onDone: () => void }) {
  const [open, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    onDone();
  };
  return (
    <div class="inviting">
      <Button look="main" onClick={() => setOpen(true)}>
        Invite workers
      </Button>
      {open && <Invite project={project} onClose={close} />}
    </div>
  );
}

interface PayProps {
  workers: Worker[];
  left: boolean;
  project: number;
  currency: string;
  mayAct: boolean;
}

function Pay({ workers, left, project, currency, mayAct }: PayProps) {
  const due = workers.reduce((sum, worker) => sum + worker.due, 0);
  const path = `/api/projects/${project}/pay.csv`;
  return (
    <Card title="Pay">
      <p>
        {left ? "Due to these workers" : "Due to all workers"}: <strong>{money(due, currency)}</strong>. The file lists
        the number of votes, the amount due and the completion code of each worker.
      </p>
      <div class="row">
        <ButtonLink href={path} download={`pay-${project}.csv`}>
          Download with worker codes
        </ButtonLink>
        {mayAct && (
          <ButtonLink href={`${path}?ids=external`} download={`pay-${project}.csv`}>
            Download with panel IDs
          </ButtonLink>
        )}
      </div>
      {mayAct && <p class="soft small">Panel IDs can identify people. Downloads are recorded in the log.</p>}
    </Card>
  );
}
