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

/** Practice and checks by items whose label is known. */
export function ChecksForm(props: PartProps) {
  return (
    <div class="two-fields">
      <Rule {...props} name="practice" label="Practice items" hint="Before the work, with the right answer shown." />
      <Rule
        {...props}
        name="gold_share"
        label="Checks among the work, %"
        hint="They look like all other items."
        scale={100}
      />
      <Rule
        {...props}
        name="minimum_accuracy"
        label="Must be right in, %"
        hint="Of checks; who falls below is asked no more."
        scale={100}
      />
      <Rule {...props} name="checks" label="Checks before that counts" />
    </div>
  );
}

/** How much one worker gets, at once and in all. */
export function ServingForm(props: PartProps) {
  const { workers } = props.settings;
  return (
    <div class="two-fields">
      <OptionalNumber
        label="Votes of one worker, at most"
        placeholder="no limit"
        value={workers.maximum_votes}
        wrong={props.faults["workers.maximum_votes"]}
        onChange={(maximum_votes) => props.change({ workers: { ...workers, maximum_votes } })}
      />
      <Rule {...props} name="batch" label="Items in hand at once" hint="They are there before they are needed." />
      <Rule
        {...props}
        name="lease_seconds"
        label="Seconds an item stays in hand"
        hint="Then it goes to somebody else."
      />
      <Rule {...props} name="amend_seconds" label="Seconds a vote can be changed" />
    </div>
  );
}
