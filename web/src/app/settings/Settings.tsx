import { Tabs } from "../../ui";
import { Tokens } from "../account/Tokens";
import type { ProjectProps } from "../ProjectPages";
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

/** All that can be changed, who may change it, and what was changed. */
export function Settings({ part, ...props }: ProjectProps & { part: string }) {
  const at = `/projects/${props.project.id}/settings`;
  const tabs = PARTS.map(([path, name]): [string, string] => [path ? `${at}/${path}` : at, name]);
  return (
    <>
      <div class="sub-tabs">
        <Tabs label="Settings pages" parts={tabs} open={part ? `${at}/${part}` : at} />
      </div>
      <Part part={part} {...props} />
    </>
  );
}

function Part({ part, ...props }: ProjectProps & { part: string }) {
  switch (part) {
    case "members":
      return <Members {...props} />;
    case "door":
      return <PanelPage {...props} />;
    case "tokens":
      return (
        <div class="settings">
          <Tokens project={props.project.id} />
        </div>
      );
    case "webhooks":
      return <Webhooks {...props} />;
    case "log":
      return <Log {...props} />;
    default:
      return <AllSettings {...props} />;
  }
}
