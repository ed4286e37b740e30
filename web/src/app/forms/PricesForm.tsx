import type { ProjectSettings } from "../../api";
import { Field } from "../../ui";
import { Check } from "./Check";
import { NumberField } from "./NumberField";
import type { PartProps } from "./parts";

type Prices = ProjectSettings["prices"];

interface Props extends PartProps {
  /** Called for a new price of crowd votes; by default only the price changes. */
  onCrowdPrice?: (price: number) => void;
}

/** The prices of votes. */
export function PricesForm({ settings, change, faults, onCrowdPrice }: Props) {
  const { prices, currency } = settings;
  const put = (patch: Partial<Prices>) => change({ prices: { ...prices, ...patch } });
  const vote = (kind: string, price: number) => put({ votes: { ...prices.votes, [kind]: price } });
  const { expert, ...without } = prices.votes;
  return (
    <>
      <div class="three-fields">
        <NumberField
          label="Price per worker vote"
          hint={currency}
          value={prices.votes.crowd}
          wrong={faults["prices.votes.crowd"]}
          onChange={(price) => (onCrowdPrice ?? ((value) => vote("crowd", value)))(price)}
        />
        {expert !== undefined && (
          <NumberField
            label="Price per expert vote"
            hint={currency}
            value={expert}
            wrong={faults["prices.votes.expert"]}
            onChange={(price) => vote("expert", price)}
          />
        )}
        <Field
          label="Currency"
          maxLength={8}
          value={currency}
          onInput={(e) => change({ currency: e.currentTarget.value })}
        />
      </div>
      <Check
        label="Ask experts"
        hint="Experts vote on items the crowd cannot decide and audit a share of the decided items."
        checked={expert !== undefined}
        onChange={(on) => put({ votes: on ? { ...without, expert: 10 * (prices.votes.crowd || 1) } : without })}
      />
    </>
  );
}

/** The fee of the panel and the price of the classifier. */
export function FeesForm({ settings, change, faults }: PartProps) {
  const { prices } = settings;
  return (
    <div class="two-fields">
      <NumberField
        label="Panel fee, %"
        hint="Added to the pay and counted against the budget."
        scale={100}
        value={prices.platform_fee}
        wrong={faults["prices.platform_fee"]}
        onChange={(platform_fee) => change({ prices: { ...prices, platform_fee } })}
      />
      <NumberField
        label="Classifier price per item"
        hint="0 unless you pay for your own model."
        value={prices.machine}
        wrong={faults["prices.machine"]}
        onChange={(machine) => change({ prices: { ...prices, machine } })}
      />
    </div>
  );
}
