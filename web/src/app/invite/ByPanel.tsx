import { useState } from "preact/hooks";
import { type PanelEntry, type Project, post, useLoaded, useSending } from "../../api";
import { Button, Choice, Copy, Notice, TextField } from "../../ui";
import { PanelAddress } from "./PanelAddress";
import { type PanelKind, panelKind, parseIds } from "./panel-entry";

const NAMES = { prolific: "Prolific", mturk: "MTurk" };

type ProjectRef = Pick<Project, "id" | "settings">;

/** The URL and settings to paste into a panel. */
export function ByPanel({ project }: { project: ProjectRef }) {
  const { data: entry, problem } = useLoaded<PanelEntry>(`/api/projects/${project.id}/door`);
  const [panel, setPanel] = useState<PanelKind>(panelKind(project.settings.door.platform));
  if (problem) return <Notice kind="bad">{problem.message}</Notice>;
  if (!entry) return <p class="loading">Loading…</p>;
  return (
    <div class="stack">
      <Choice label="Panel" value={panel} onChange={(e) => setPanel(e.currentTarget.value as PanelKind)}>
        <option value="prolific">Prolific</option>
        <option value="mturk">MTurk</option>
        <option value="other">Other</option>
      </Choice>
      <PanelAddress entry={entry} panel={panel} />
      {entry.signed && <Signed project={project} entry={entry} panel={panel} />}
      <Back project={project} />
      <p class="small">
        <a href={`/projects/${project.id}/settings/door`}>Change panel parameters and completion URL</a>
      </p>
    </div>
  );
}

function Signed({ project, entry, panel }: { project: ProjectRef; entry: PanelEntry; panel: PanelKind }) {
  const [pasted, setPasted] = useState("");
  const [addresses, setAddresses] = useState<Record<string, string> | null>(null);
  const { busy, problem, send } = useSending();
  const workers = parseIds(pasted);
  const make = () =>
    send(post<Record<string, string>>(`/api/projects/${project.id}/door/links`, { workers }), setAddresses);
  return (
    <>
      <Notice kind="warn">
        {panel !== "other"
          ? `This project requires signed worker IDs, and ${NAMES[panel]} cannot sign. Turn signing off in the settings, or create a URL for each worker here.`
          : `Worker IDs must be signed: ${entry.signature_parameter} is the HMAC-SHA256 of the worker ID with the signing key.`}
      </Notice>
      {panel === "other" && <Copy label="Signing key" text={entry.key} hint="Keep it secret, like a password." />}
      <TextField
        label="Worker IDs"
        hint="As used by the panel, one per line. A URL is created for each."
        rows={3}
        value={pasted}
        onInput={(e) => setPasted(e.currentTarget.value)}
      />
      <div class="row">
        <Button onClick={make} busy={busy} disabled={!workers.length}>
          Create URLs
        </Button>
      </div>
      {problem && <Notice kind="bad">{problem}</Notice>}
      {addresses && <Copy label="URLs" text={Object.values(addresses).join("\n")} />}
    </>
  );
}

function Back({ project }: { project: ProjectRef }) {
  const { completion_url, code_done, code_failed, code_no_work } = project.settings.door;
  return (
    <p class="small soft">
      Workers receive the completion code <code>{code_done}</code> (<code>{code_failed}</code> after failed gold checks,{" "}
      <code>{code_no_work}</code> if no items were available)
      {completion_url ? (
        <>
          {" "}
          and return to <code>{completion_url}</code>.
        </>
      ) : (
        " and enter it on the panel. To redirect them automatically, set a completion URL."
      )}
    </p>
  );
}
