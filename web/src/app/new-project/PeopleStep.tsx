import { Card, Notice } from "../../ui";
import { withCrowdPrice } from "../forms/costs";
import { ConsentForm } from "../forms/InstructionsForm";
import { More } from "../forms/More";
import { Options } from "../forms/Options";
import { PanelForm } from "../forms/PanelForm";
import { FeesForm, PricesForm } from "../forms/PricesForm";
import { ChecksForm, ServingForm } from "../forms/WorkersForm";
import { goldColumns } from "./draft";
import type { StepProps } from "./step";

/** Who votes, what they get, and how they are checked. */
export function PeopleStep({ drafting, faults }: StepProps) {
  const { draft, put, change } = drafting;
  const { settings } = draft;
  const props = { settings, change, faults };
  const hasGold = Object.keys(goldColumns(draft)).length > 0;
  const checks = settings.workers.practice > 0 || settings.workers.gold_share > 0;
  return (
    <>
      <Card>
        <Options
          legend="Where they come from"
          value={draft.audience}
          onChange={(audience) => put({ audience })}
          options={[
            ["links", "People you know", "Each gets a link of their own"],
            ["panel", "A panel", "Such as Prolific: it sends people here, and takes them back"],
          ]}
        />
        {draft.audience === "panel" && <PanelForm {...props} />}
      </Card>
      <Card title="Pay">
        <PricesForm {...props} onCrowdPrice={(price) => change(withCrowdPrice(settings, price))} />
        {draft.audience === "panel" && <FeesForm {...props} />}
      </Card>
      <Card title="Practice and checks">
        {hasGold ? (
          <p class="soft small">Items whose label is known let people practise first, and check them in between.</p>
        ) : (
          <Notice {...(checks && { kind: "warn" as const })}>
            They need items whose label is known: choose a column with labels that are right, on the first step or
            beside the criteria. Without them, how good workers are is judged by how they agree.
          </Notice>
        )}
        {(hasGold || checks) && <ChecksForm {...props} />}
      </Card>
      <Card>
        <ConsentForm {...props} />
      </Card>
      <Card>
        <More title="How much one worker gets">
          <ServingForm {...props} />
        </More>
      </Card>
    </>
  );
}
