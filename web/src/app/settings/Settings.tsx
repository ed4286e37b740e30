import { Tabs } from "../../ui";
import { Tokens } from "../account/Tokens";
import { useProject } from "../project-context";
import { AllSettings } from "./AllSettings";
import { Log } from "./Log";
import { Members } from "./Members";
import { PanelPage } from "./PanelPage";
import { Webhooks } from "./Webhooks";
import "../forms/forms.css";
import "./settings.css";

const PARTS: [part: string, name: string][] = [
  ["", "General"],
  ["members", "Members"],
  ["door", "Panel"],
  ["tokens", "Tokens"],
  ["webhooks", "Webhooks"],
  ["log", "Log"],
];

/** The pages of the settings. */
export function Settings({ part }: { part: string }) {
  const { project } = useProject();
  const at = `/projects/${project.id}/settings`;
  const tabs = PARTS.map(([path, name]): [string, string] => [path ? `${at}/${path}` : at, name]);
  return (
    <>
      <div class="sub-tabs">
        <Tabs label="Settings pages" parts={tabs} open={part ? `${at}/${part}` : at} />
      </div>
      <Part part={part} />
    </>
  );
}

function Part({ part }: { part: string }) {
  const { project } = useProject();
  switch (part) {
    case "members":
      return <Members />;
    case "door":
      return <PanelPage />;
    case "tokens":
      return (
        <div class="settings">
          <Tokens project={project.id} />
        </div>
      );
    case "webhooks":
      return <Webhooks />;
    case "log":
      return <Log />;
    default:
      return <AllSettings />;
  }
}
