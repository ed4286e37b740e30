import type { ProjectSettings } from "../../api";
import { Button, Field, TextField } from "../../ui";
import { Check } from "./Check";
import { MTURK, PROLIFIC } from "./defaults";
import { More } from "./More";
import type { PartProps } from "./parts";

type PanelSettings = ProjectSettings["door"];

/** How a panel sends people here, and takes them back. */
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
        {text("platform", "Name of the panel")}
        <Field
          label="Where people go back to"
          hint="{code}, {worker} and {session} are filled in."
          placeholder="nowhere: they are shown the code"
          value={door.completion_url ?? ""}
          wrong={faults["door.completion_url"]}
          onInput={(e) => put({ completion_url: e.currentTarget.value.trim() || null })}
        />
        {text("worker_parameter", "Parameter with the worker's number")}
        {text("session_parameter", "Parameter with the number of the visit")}
      </div>
      <Check
        label="Numbers must be signed"
        hint="So that nobody can make some up. Switch it off for panels that cannot sign, such as Prolific and MTurk."
        checked={door.signed}
        onChange={(signed) => put({ signed })}
      />
      <TextField
        label="Sites that may show the work in a frame"
        hint="One in a line, such as https://worker.mturk.com. None: people come here themselves, as from Prolific."
        rows={2}
        value={door.frames.join("\n")}
        wrong={faults["door.frames"]}
        onInput={(e) => put({ frames: e.currentTarget.value ? e.currentTarget.value.split("\n") : [] })}
      />
      <More title="Completion codes">
        <div class="three-fields">
          {text("code_done", "Who is through")}
          {text("code_failed", "Who failed checks")}
          {text("code_no_work", "Where there was no work")}
        </div>
      </More>
    </>
  );
}
