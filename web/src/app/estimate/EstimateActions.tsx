import { useState } from "preact/hooks";
import { type ProjectState, post, useSending } from "../../api";
import { Button, ButtonLink, Notice } from "../../ui";
import { Confirm } from "../overview/Confirm";
import { useProject } from "../project-context";
import { go } from "../router";

/** Buttons to continue, change the settings, run another pilot or end the project. */
export function EstimateActions() {
  const { project, reload } = useProject();
  const { busy, problem, send } = useSending();
  const [ending, setEnding] = useState(false);
  const home = `/projects/${project.id}`;
  const move = (state: ProjectState) =>
    send(post(`/api/projects/${project.id}/state`, { state }), () => {
      reload();
      go(home);
    });
  if (project.state !== "estimate") return null;
  return (
    <>
      <div class="row">
        <Button look="main" busy={busy} onClick={() => move("running")}>
          Continue with all items
        </Button>
        <ButtonLink href={`${home}/settings`}>Change settings</ButtonLink>
        <Button busy={busy} onClick={() => move("pilot")}>
          Run another pilot
        </Button>
        <Button look="danger" busy={busy} onClick={() => setEnding(true)}>
          End project
        </Button>
      </div>
      {problem && <Notice kind="bad">{problem}</Notice>}
      {ending && <Confirm action="end" left={null} onYes={() => move("done")} onClose={() => setEnding(false)} />}
    </>
  );
}
