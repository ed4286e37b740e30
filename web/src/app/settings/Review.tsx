import { useEffect, useState } from "preact/hooks";
import { call, type Effect, type Progress, type Project, post, useLoaded } from "../../api";
import { Button, Dialog, Notice, Warnings } from "../../ui";
import { cleanSettings } from "../forms/clean-settings";
import { faultsOfRefusal } from "../forms/field-errors";
import { budgetWarning } from "../overview/sentences";
import { ChangeList } from "./ChangeList";
import { effectTexts } from "./log-text";
import type { Editing } from "./useEditing";

interface Props {
  project: Project;
  editing: Editing;
  onSaved: () => void;
}

/** The number of unsaved changes and the way to review them; it stays in view. */
export function Review({ project, editing, onSaved }: Props) {
  const [open, setOpen] = useState(false);
  const { changes, ready } = editing;
  const other = editing.faults[""];
  return (
    <>
      {other && <Notice kind="bad">{other}</Notice>}
      {changes.length > 0 && (
        <div class="notice review" role="status">
          <span>
            {changes.length === 1 ? "1 unsaved change" : `${changes.length} unsaved changes`}
            {!ready && ". Fix the highlighted fields to continue"}
          </span>
          <span class="row">
            <Button onClick={editing.undo}>Discard</Button>
            <Button look="main" disabled={!ready} onClick={() => setOpen(true)}>
              Review changes
            </Button>
          </span>
        </div>
      )}
      {open && <Effects project={project} editing={editing} onClose={() => setOpen(false)} onSaved={onSaved} />}
    </>
  );
}

function Effects({ project, editing, onClose, onSaved }: Props & { onClose: () => void }) {
  const [effect, setEffect] = useState<Effect | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const at = `/api/projects/${project.id}/settings`;
  const refused = (error: Error) => {
    setProblem(error.message);
    editing.refuse(faultsOfRefusal(error));
  };
  useEffect(() => {
    post<Effect>(`${at}/preview`, cleanSettings(editing.settings)).then(setEffect, refused);
  }, []);
  const save = () => {
    setBusy(true);
    call("PUT", at, cleanSettings(editing.settings))
      .then(() => {
        onClose();
        onSaved();
      }, refused)
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title="Review changes" onClose={onClose}>
      <ChangeList changes={editing.changes} />
      {!effect && !problem && <p class="soft">Computing the effect on items…</p>}
      {effect && <EffectNotice effect={effect} />}
      <Warnings warnings={effect?.warnings} />
      <BudgetNotice project={project} budget={editing.settings.budget} />
      {problem && <Notice kind="bad">{problem}</Notice>}
      <div class="row">
        <Button look="main" busy={busy} disabled={!effect || problem !== null} onClick={save}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

/** Warns if a changed budget is too small for the forecast cost. */
function BudgetNotice({ project, budget }: { project: Project; budget: number | null }) {
  const isOther = budget !== project.settings.budget && project.state !== "done";
  const { data: progress } = useLoaded<Progress>(isOther ? `/api/projects/${project.id}/progress` : null);
  const short = progress?.forecast ? budgetWarning(progress.forecast.spend, budget, project.settings.currency) : null;
  return short && <Notice kind="warn">{short}</Notice>;
}

function EffectNotice({ effect }: { effect: Effect }) {
  const words = effectTexts(effect);
  if (!words.length) return <Notice kind="good">No items are affected.</Notice>;
  return (
    <Notice kind="warn">
      <span>
        Affected items: <strong>{words.join(", ")}</strong>.
      </span>
    </Notice>
  );
}
