import { useState } from "preact/hooks";
import { type PanelEntry, type Project, useLoaded } from "../../api";
import { Button, Card, Copy, Notice } from "../../ui";
import { PanelForm } from "../forms/PanelForm";
import { PanelAddress } from "../invite/PanelAddress";
import { panelKind } from "../invite/panel-entry";
import { useProject } from "../project-context";
import { Review } from "./Review";
import { useEditing } from "./useEditing";

/** The panel: its link, signing key and parameters. */
export function PanelPage() {
  const { project, reload } = useProject();
  const editing = useEditing(project);
  return (
    <div class="stack settings">
      <PanelDetails key={project.settings_version} project={project} />
      <Card title="Panel settings">
        <PanelForm settings={editing.settings} change={editing.change} faults={editing.faults} />
      </Card>
      <Review project={project} editing={editing} onSaved={reload} />
    </div>
  );
}

/** The link and the key that the panel needs. */
function PanelDetails({ project }: { project: Project }) {
  const { data: entry, problem } = useLoaded<PanelEntry>(`/api/projects/${project.id}/door`);
  if (problem) return <Notice kind="bad">{problem.message}</Notice>;
  if (!entry) return <p class="loading">Loading…</p>;
  return (
    <>
      <Card title="Link for the panel">
        <PanelAddress entry={entry} panel={panelKind(project.settings.door.platform)} />
      </Card>
      {entry.signed && <Key text={entry.key} />}
    </>
  );
}

/** The signing key, shown only on request. */
function Key({ text }: { text: string }) {
  const [shown, setShown] = useState(false);
  return (
    <Card title="Signing key">
      <p class="soft small">
        Each worker ID must come with a signature: the HMAC-SHA256 of the worker ID with this key, in hexadecimal.
      </p>
      {shown ? (
        <Copy label="Key" text={text} hint="Keep it secret, like a password." />
      ) : (
        <div class="row">
          <Button onClick={() => setShown(true)}>Show key</Button>
        </div>
      )}
    </Card>
  );
}
