import type { ProjectSettings } from "../../api";
import { NumberField, OptionalNumber } from "./NumberField";
import type { PartProps } from "./parts";

type Rules = ProjectSettings["workers"];

interface RuleProps extends PartProps {
  name: Exclude<keyof Rules, "maximum_votes">;
  label: string;
  hint?: string;
  scale?: number;
}

function Rule({ settings: { workers }, change, faults, name, ...shown }: RuleProps) {
  return (
    <NumberField
      {...shown}
      value={workers[name]}
      wrong={faults[`workers.${name}`]}
      onChange={(value) => change({ workers: { ...workers, [name]: value } })}
    />
  );
}

/** Practice and gold checks. */
export function ChecksForm(props: PartProps) {
  return (
    <div class="two-fields">
      <Rule {...props} name="practice" label="Practice items" hint="Shown first, with the correct answer." />
      <Rule
        {...props}
        name="gold_share"
        label="Gold checks among items, %"
        hint="Workers cannot tell them from other items."
        scale={100}
      />
      <Rule
        {...props}
        name="minimum_accuracy"
        label="Minimum accuracy on gold, %"
        hint="Workers below it receive no more items."
        scale={100}
      />
      <Rule {...props} name="checks" label="Apply after this many checks" />
    </div>
  );
}

/** Limits per worker, per batch and in total. */
export function ServingForm(props: PartProps) {
  const { workers } = props.settings;
  return (
    <div class="two-fields">
      <OptionalNumber
        label="Maximum votes per worker"
        placeholder="No limit"
        value={workers.maximum_votes}
        wrong={props.faults["workers.maximum_votes"]}
        onChange={(maximum_votes) => props.change({ workers: { ...workers, maximum_votes } })}
      />
      <Rule {...props} name="batch" label="Items per batch" hint="Number of items assigned to a worker at once." />
      <Rule
        {...props}
        name="lease_seconds"
        label="Assignment time limit, seconds"
        hint="After that, the item is assigned to someone else."
      />
      <Rule {...props} name="amend_seconds" label="Time to change a vote, seconds" />
    </div>
  );
}
