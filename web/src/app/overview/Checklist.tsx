import type { Overview, Project } from "../../api";
import { Button, Card } from "../../ui";
import { money, percent } from "../../ui/format";
import { itemCount } from "./status-counts";
import type { Action } from "./steps";
import { plural } from "./steps";

interface Check {
  name: string;
  done: boolean;
  text: string;
  /** The action that completes it; otherwise it is changed in the settings. */
  action?: Action;
}

/** What a draft has and lacks; only items are required. */
export function Checklist({
  project,
  overview,
  act,
}: {
  project: Project;
  overview: Overview;
  act: (what: Action) => void;
}) {
  return (
    <Card title="Before you start">
      <ul class="checks">
        {checklist(project, overview).map((check) => (
          <li key={check.name} class={check.done ? "done" : ""}>
            <span class="mark" aria-hidden="true">
              {check.done ? "✓" : "–"}
            </span>
            <span>
              <b>{check.name}</b> <span class={check.done ? "" : "soft"}>{check.text}</span>
            </span>
            {check.action ? (
              <Button small onClick={() => check.action && act(check.action)}>
                {check.action === "upload" ? "Add items" : "Invite workers"}
              </Button>
            ) : (
              <a class="small" href={`/projects/${project.id}/settings`}>
                Change<span class="unseen"> {check.name}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function checklist({ settings }: Project, overview: Overview): Check[] {
  const { budget, currency, audit_share, prices, instructions } = settings;
  const items = itemCount(overview.tasks);
  const priced = Object.entries(prices.votes).map(([kind, price]) => `${money(price, currency)} (${kind})`);
  return [
    { name: "Items", done: items > 0, text: items ? plural(items, "item") : "none yet", action: "upload" },
    {
      name: "Workers",
      done: overview.voters > 0,
      text: overview.voters ? plural(overview.voters, "worker or expert", "workers and experts") : "none yet",
      action: "invite",
    },
    {
      name: "Instructions",
      done: instructions !== "",
      text: instructions ? "set" : "none: workers see only the question",
    },
    { name: "Price per vote", done: true, text: priced.join(", ") },
    {
      name: "Budget",
      done: budget !== null,
      text: budget === null ? "none: spending is not limited" : money(budget, currency),
    },
    {
      name: "Audit",
      done: audit_share > 0,
      text: audit_share
        ? `experts review a random ${percent(audit_share)} of the labels`
        : "none: the error rate cannot be measured",
    },
  ];
}
