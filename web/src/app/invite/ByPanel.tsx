import { useState } from "preact/hooks";
import { type Project, post, useLoaded, useSending } from "../../api";
import { Button, Choice, Copy, Notice, TextField } from "../../ui";
import { PanelAddress } from "./PanelAddress";
import { type PanelEntry, type PanelKind, panelKind, parseIds } from "./panel-entry";

const NAMES = { prolific: "Prolific", mturk: "MTurk" };

type ProjectRef = Pick<Project, "id" | "settings">;

/** What to paste into a panel so that it sends its people here. */
export function ByPanel({ project }: { project: ProjectRef }) {
  const { data: door, problem } = useLoaded<PanelEntry>(`/api/projects/${project.id}/door`);
  const [panel, setPanel] = useState<PanelKind>(panelKind(project.settings.door.platform));
  if (problem) return <Notice kind="bad">{problem.message}</Notice>;
  if (!door) return <p class="loading">Loading…</p>;
  return (
    <div class="stack">
      <Choice label="Panel" value={panel} onChange={(e) => setPanel(e.currentTarget.value as PanelKind)}>
        <option value="prolific">Prolific</option>
        <option value="mturk">MTurk</option>
        <option value="other">Another one</option>
      </Choice>
      <PanelAddress door={door} panel={panel} />
      {door.signed && <Signed project={project} door={door} panel={panel} />}
      <Back project={project} />
      <p class="small">
        <a href={`/projects/${project.id}/settings/door`}>
          Change what the panel's parameters are called, and the way back
        </a>
      </p>
    </div>
  );
}

function Signed({ project, door, panel }: { project: ProjectRef; door: PanelEntry; panel: PanelKind }) {
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
          ? `This project asks for signed numbers, and ${NAMES[panel]} cannot sign: switch signing off in the settings, or make an address for each person here.`
          : `Numbers must be signed, so that nobody makes some up: ${door.signature_parameter} is the HMAC-SHA256 of the number under the key of the door.`}
      </Notice>
      {panel === "other" && <Copy label="Key of the door" text={door.key} hint="As secret as a password." />}
      <TextField
        label="Numbers of workers"
        hint="As the panel knows them, one in a line: an address is made for each."
        rows={3}
        value={pasted}
        onInput={(e) => setPasted(e.currentTarget.value)}
      />
      <div class="row">
        <Button onClick={make} busy={busy} disabled={!workers.length}>
          Make addresses
        </Button>
      </div>
      {problem && <Notice kind="bad">{problem}</Notice>}
      {addresses && <Copy label="Addresses" text={Object.values(addresses).join("\n")} />}
    </>
  );
}

function Back({ project }: { project: ProjectRef }) {
  const { completion_url, code_done, code_failed, code_no_work } = project.settings.door;
  return (
    <p class="small soft">
      Who is through gets the code <code>{code_done}</code> (<code>{code_failed}</code> after too many wrong checks,{" "}
      <code>{code_no_work}</code> if there was nothing to do)
      {completion_url ? (
        <>
          {" "}
          and goes back to <code>{completion_url}</code>.
        </>
      ) : (
        ", to be typed in at the panel. To send them back by themselves, set the panel's completion address."
      )}
    </p>
  );
}
