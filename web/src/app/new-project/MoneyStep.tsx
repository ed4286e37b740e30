import { Card } from "../../ui";
import { CostsForm, NoLabelForm } from "../forms/CostsForm";
import { AuditForm, BudgetForm, RestForm } from "../forms/MoneyForm";
import { More } from "../forms/More";
import { LearnerForm, PolicyForm } from "../forms/PolicyForm";
import type { StepProps } from "./step";

/** What errors cost and what may be spent: when to stop asking follows from it. */
export function MoneyStep({ drafting, faults }: StepProps) {
  const props = { settings: drafting.draft.settings, change: drafting.change, faults };
  return (
    <>
      <Card title="Errors">
        <p class="soft small">
          A vote is bought only where it saves more than it costs. The dearer an error, the more votes an item gets
          before it is decided. If in doubt, think of what you would pay to have one wrong label put right.
        </p>
        <CostsForm {...props} />
      </Card>
      <Card title="Budget">
        <BudgetForm {...props} />
        <AuditForm {...props} />
      </Card>
      <Card>
        <More title="More: policy, machine, what becomes of the rest">
          <PolicyForm {...props} />
          <LearnerForm {...props} />
          <RestForm {...props} />
          <NoLabelForm {...props} />
        </More>
      </Card>
    </>
  );
}
