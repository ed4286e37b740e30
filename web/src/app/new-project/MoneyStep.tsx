import { Card } from "../../ui";
import { CostsForm, NoLabelForm } from "../forms/CostsForm";
import { AuditForm, BudgetForm, RestForm } from "../forms/MoneyForm";
import { More } from "../forms/More";
import { LearnerForm, PolicyForm } from "../forms/PolicyForm";
import type { StepProps } from "./step";

/** The cost of errors and the budget, which determine when to stop requesting votes. */
export function MoneyStep({ drafting, faults }: StepProps) {
  const props = { settings: drafting.draft.settings, change: drafting.change, faults };
  return (
    <>
      <Card title="Cost of errors">
        <p class="soft small">
          A vote is requested only where it saves more than it costs. The more expensive an error, the more votes an
          item gets. If in doubt, enter what you would pay to correct one wrong label.
        </p>
        <CostsForm {...props} />
      </Card>
      <Card title="Budget">
        <BudgetForm {...props} />
        <AuditForm {...props} />
      </Card>
      <Card>
        <More title="Advanced: policy, classifier, undecided items">
          <PolicyForm {...props} />
          <LearnerForm {...props} />
          <RestForm {...props} />
          <NoLabelForm {...props} />
        </More>
      </Card>
    </>
  );
}
