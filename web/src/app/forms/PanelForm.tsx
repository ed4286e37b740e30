import type { ProjectSettings } from "../../api";
import { Button, Field, TextField } from "../../ui";
import { Check } from "./Check";
import { MTURK, PROLIFIC } from "./defaults";
import { More } from "./More";
import type { PartProps } from "./parts";

type PanelSettings = ProjectSettings["door"];

/** How a panel sends workers here and takes them back. */
export function PanelForm({ settings, change, faults }: PartProps) {
  const { door } = settings;
  const put = (patch: Partial<PanelSettings>) => change({ door: { ...door, ...patch } });
  const text = (name: keyof PanelSettings & string, label: string, hint?: string) => (
    <Field
      label={label}
      hint={hint}
      value={String(door[name] ?? "")}
      wrong={faults[`door.${name}`]}
      onInput={(e) => put({ [name]: e.currentTarget.value })}
    />
  );
  return (
    <>
      <div class="row">
        <Button small onClick={() => put(PROLIFIC)}>
          Fill in for Prolific
        </Button>
        <Button small onClick={() => put(MTURK)}>
          Fill in for MTurk
        </Button>
      </div>
      <div class="two-fields">
        {text("platform", "Panel name")}
        <Field
          label="Completion URL"
          hint="Placeholders: {code}, {worker}, {session}."
          placeholder="None: show the code"
          value={door.completion_url ?? ""}
          wrong={faults["door.completion_url"]}
          onInput={(e) => put({ completion_url: e.currentTarget.value.trim() || null })}
        />
        {text("worker_parameter", "Worker ID parameter")}
        {text("session_parameter", "Session ID parameter")}
      </div>
      <Check
        label="Require signed worker IDs"
        hint="Prevents forged IDs. Turn it off for panels that cannot sign, such as Prolific and MTurk."
        checked={door.signed}
        onChange={(signed) => put({ signed })}
      />
      <TextField
        label="Sites allowed to embed the work page"
        hint="One per line, such as https://worker.mturk.com. Leave empty if the panel redirects workers, as Prolific does."
        rows={2}
        value={door.frames.join("\n")}
        wrong={faults["door.frames"]}
        onInput={(e) => put({ frames: e.currentTarget.value ? e.currentTarget.value.split("\n") : [] })}
      />
      <More title="Completion codes">
        <div class="three-fields">
          {text("code_done", "Completion code")}
          {text("code_failed", "Screen-out code")}
          {text("code_no_work", "No-work code")}
        </div>
      </More>
    </>
  );
}
