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

/** The workers: source, pay, checks and consent. */
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
          legend="Source"
          value={draft.audience}
          onChange={(audience) => put({ audience })}
          options={[
            ["links", "People you know", "Each person gets a personal link"],
            ["panel", "Panel", "Such as Prolific or MTurk"],
          ]}
        />
        {draft.audience === "panel" && <PanelForm {...props} />}
      </Card>
      <Card title="Pay">
        <PricesForm {...props} onCrowdPrice={(price) => change(withCrowdPrice(settings, price))} />
        {draft.audience === "panel" && <FeesForm {...props} />}
      </Card>
      <Card title="Practice and gold checks">
        {hasGold ? (
          <p class="soft small">
            Items with gold labels are used for practice before the work and for checks during it.
          </p>
        ) : (
          <Notice {...(checks && { kind: "warn" as const })}>
            Practice and checks need gold labels: choose a label column in the first step or next to the criteria.
            Without gold labels, worker quality is estimated from agreement.
          </Notice>
        )}
        {(hasGold || checks) && <ChecksForm {...props} />}
      </Card>
      <Card>
        <ConsentForm {...props} />
      </Card>
      <Card>
        <More title="Limits per worker">
          <ServingForm {...props} />
        </More>
      </Card>
    </>
  );
}
