import { useState } from "preact/hooks";
import type { Project } from "../../api";
import { Button, Dialog } from "../../ui";
import { ByLink } from "./ByLink";
import { ByPanel } from "./ByPanel";
import "./invite.css";

interface Props {
  project: Project;
  onClose: () => void;
}

/** Invites workers by personal links or through a panel. */
export function Invite({ project, onClose }: Props) {
  const [way, setWay] = useState<"link" | "panel">("link");
  return (
    <Dialog title="Invite workers" onClose={onClose}>
      <fieldset class="ways row" aria-label="Invitation method">
        <Button small aria-pressed={way === "link"} onClick={() => setWay("link")}>
          People you know
        </Button>
        <Button small aria-pressed={way === "panel"} onClick={() => setWay("panel")}>
          Panel, such as Prolific
        </Button>
      </fieldset>
      {way === "link" ? <ByLink project={project} /> : <ByPanel project={project} />}
      <div class="row">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
