import { useEffect, useState } from "preact/hooks";
import { get, type Import, type ProjectBrief, type ProjectState, post, useSending } from "../../api";
import { Button, Card, Notice } from "../../ui";
import { count } from "../../ui/format";
import { go } from "../router";
import { InviteCards } from "./InviteCards";
import { goTo } from "./step";
import type { Drafting } from "./useDraft";

const POLL_MS = 400; // between two requests for the progress of the import

/** The created project: the import runs, then it can start. */
export function Created({ drafting }: { drafting: Drafting }) {
  const { draft, put, clear } = drafting;
  const project = draft.made?.project ?? 0;
  const { reading, problem } = useImport(project, draft.made?.reading ?? 0);
  const [state, setState] = useState<ProjectState>("draft");
  useEffect(() => {
    get<ProjectBrief>(`/api/projects/${project}`).then(
      (brief) => setState(brief.state),
      () => undefined,
    );
  }, [project]);
  const chooseFile = () => {
    put({ made: { project, reading: null } });
    goTo("file");
  };
  const leave = () => {
    clear();
    go(`/projects/${project}`);
  };
  const another = () => {
    clear();
    goTo("file");
  };
  const items = (reading?.added ?? 0) + (reading?.repeated ?? 0);
  return (
    <>
      <h1>{draft.settings.name}</h1>
      {problem && (
        <Notice kind="bad">
          <span>{problem}</span>
          <Button small onClick={another}>
            Start over
          </Button>
        </Notice>
      )}
      {reading && <ImportResult reading={reading} onChangeFile={chooseFile} />}
      {reading?.state === "done" && items > 0 && (
        <>
          <Start drafting={drafting} project={project} items={items} state={state} onState={setState} />
          <InviteCards project={{ id: project, settings: draft.settings }} audience={draft.audience} />
          <div class="row apart">
            <Button look="plain" onClick={another}>
              Create another project
            </Button>
            <Button look={state === "draft" ? undefined : "main"} onClick={leave}>
              Go to overview
            </Button>
          </div>
        </>
      )}
    </>
  );
}

function useImport(project: number, id: number): { reading: Import | null; problem: string | null } {
  const [reading, setReading] = useState<Import | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let timer = 0;
    const look = () =>
      get<Import>(`/api/projects/${project}/imports/${id}`).then(
        (latest) => {
          setReading(latest);
          setProblem(null);
          if (latest.state === "reading") timer = window.setTimeout(look, POLL_MS);
        },
        (error: Error) => setProblem(error.message),
      );
    void look();
    return () => clearTimeout(timer);
  }, [project, id]);
  return { reading, problem };
}

/** Progress and result of the import. */
function ImportResult({ reading, onChangeFile }: { reading: Import; onChangeFile: () => void }) {
  const { state, added, repeated, bad, rows } = reading;
  if (state === "reading")
    return (
      <Notice>
        Importing {reading.name}: {count(rows)} rows so far…
      </Notice>
    );
  const none = state === "failed" || added + repeated === 0;
  return (
    <>
      <Notice kind={none ? "bad" : "good"}>
        <span>
          {none
            ? `No items could be imported from ${reading.name}. ${reading.message ?? ""}`
            : `${count(added)} ${added === 1 ? "item" : "items"} imported.${repeated ? ` ${count(repeated)} duplicate rows skipped.` : ""}`}
        </span>
        {none && (
          <Button small onClick={onChangeFile}>
            Change columns or file
          </Button>
        )}
      </Notice>
      {bad > 0 && <BadRows reading={reading} />}
    </>
  );
}

function BadRows({ reading }: { reading: Import }) {
  const { bad, errors } = reading;
  return (
    <Card title={`${count(bad)} ${bad === 1 ? "row" : "rows"} not imported`}>
      <p class="soft small">
        Fix these rows and upload the file again at any time. Existing items are not added twice.
      </p>
      <ul class="bad-rows">
        {errors.map((error) => (
          <li key={error.row}>
            <strong>Row {count(error.row)}</strong> {error.error}
          </li>
        ))}
      </ul>
      {bad > errors.length && <p class="soft small">And {count(bad - errors.length)} more.</p>}
    </Card>
  );
}

interface StartProps {
  drafting: Drafting;
  project: number;
  items: number;
  state: ProjectState;
  onState: (state: ProjectState) => void;
}

/** Starts a pilot or the whole project. */
function Start({ drafting, project, items, state, onState }: StartProps) {
  const { busy, problem, send } = useSending();
  const pilot = drafting.draft.settings.pilot.items;
  const start = (to: "pilot" | "running") =>
    send(post<ProjectBrief>(`/api/projects/${project}/state`, { state: to }), (brief) => onState(brief.state));
  if (state !== "draft")
    return (
      <Notice kind="good">
        {state === "pilot"
          ? `The pilot of ${count(Math.min(pilot, items))} items is running.`
          : "The project is running."}{" "}
        Workers can now vote.
      </Notice>
    );
  return (
    <Card title="Start">
      {pilot < items && (
        <p class="soft">
          A pilot uses a random sample. It estimates the cost of the remaining items before you continue, change the
          settings or stop.
        </p>
      )}
      <div class="row">
        {pilot < items && (
          <Button look="main" busy={busy} onClick={() => start("pilot")}>
            Start pilot with {count(pilot)} items
          </Button>
        )}
        <Button look={pilot < items ? undefined : "main"} busy={busy} onClick={() => start("running")}>
          Start without pilot
        </Button>
      </div>
      {problem && <Notice kind="bad">{problem}</Notice>}
    </Card>
  );
}
