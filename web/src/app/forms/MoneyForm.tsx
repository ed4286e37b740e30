import { Choice } from "../../ui";
import { NumberField, OptionalNumber } from "./NumberField";
import type { PartProps } from "./parts";

/** The budgets of the project and of the pilot. */
export function BudgetForm({ settings, change, faults }: PartProps) {
  const { pilot, currency } = settings;
  return (
    <div class="three-fields">
      <OptionalNumber
        label="Budget"
        hint={currency}
        placeholder="No limit"
        value={settings.budget}
        wrong={faults.budget}
        onChange={(budget) => change({ budget })}
      />
      <NumberField
        label="Pilot items"
        hint="Selected at random."
        value={pilot.items}
        wrong={faults["pilot.items"]}
        onChange={(items) => change({ pilot: { ...pilot, items } })}
      />
      <OptionalNumber
        label="Pilot budget"
        hint={currency}
        placeholder="No limit"
        value={pilot.budget}
        wrong={faults["pilot.budget"]}
        onChange={(budget) => change({ pilot: { ...pilot, budget } })}
      />
    </div>
  );
}

/** The share of decided items that experts audit, which measures the error rate. */
export function AuditForm({ settings, change, faults }: PartProps) {
  const experts = "expert" in settings.prices.votes;
  return (
    <NumberField
      label="Audit share, %"
      hint={
        experts
          ? "Share of decided items, selected at random, that an expert reviews. Required to certify the error rate."
          : "Requires experts: the error rate can be certified only with expert votes."
      }
      scale={100}
      value={settings.audit_share}
      wrong={faults.audit_share}
      onChange={(audit_share) => change({ audit_share })}
    />
  );
}

/** What happens to open items when the budget is used up. */
export function RestForm({ settings, change }: PartProps) {
  return (
    <Choice
      label="When the budget is used up, open items"
      value={settings.rest}
      onChange={(e) => change({ rest: e.currentTarget.value === "undecided" ? "undecided" : "cheapest" })}
    >
      <option value="cheapest">get the most probable label</option>
      <option value="undecided">stay undecided</option>
    </Choice>
  );
}
