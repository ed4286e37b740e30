import { Choice } from "../../ui";
import { NumberField, OptionalNumber } from "./NumberField";
import type { PartProps } from "./parts";

/** What may be spent, in all and in a pilot. */
export function BudgetForm({ settings, change, faults }: PartProps) {
  const { pilot, currency } = settings;
  return (
    <div class="three-fields">
      <OptionalNumber
        label="Spend at most"
        hint={currency}
        placeholder="no limit"
        value={settings.budget}
        wrong={faults.budget}
        onChange={(budget) => change({ budget })}
      />
      <NumberField
        label="Items in the pilot"
        hint="Drawn at random."
        value={pilot.items}
        wrong={faults["pilot.items"]}
        onChange={(items) => change({ pilot: { ...pilot, items } })}
      />
      <OptionalNumber
        label="Spend in the pilot"
        hint={currency}
        placeholder="no own limit"
        value={pilot.budget}
        wrong={faults["pilot.budget"]}
        onChange={(budget) => change({ pilot: { ...pilot, budget } })}
      />
    </div>
  );
}

/** How much of what is decided is looked at again, which is how errors are known. */
export function AuditForm({ settings, change, faults }: PartProps) {
  const experts = "expert" in settings.prices.votes;
  return (
    <NumberField
      label="Decided items that an expert looks at again, %"
      hint={
        experts
          ? "Drawn at random. Only so can it be said how many labels are wrong, with a certificate."
          : "It needs experts: without them, nobody can say how many labels are wrong."
      }
      scale={100}
      value={settings.audit_share}
      wrong={faults.audit_share}
      onChange={(audit_share) => change({ audit_share })}
    />
  );
}

/** What becomes of items that are open when the money ends. */
export function RestForm({ settings, change }: PartProps) {
  return (
    <Choice
      label="When the money ends, open items"
      value={settings.rest}
      onChange={(e) => change({ rest: e.currentTarget.value === "undecided" ? "undecided" : "cheapest" })}
    >
      <option value="cheapest">take the label that is best so far</option>
      <option value="undecided">stay undecided</option>
    </Choice>
  );
}
