import { money } from "../../ui/format";
import { Check } from "./Check";
import { costsInVotes, errorNames, toCosts, votePrice, withMode } from "./costs";
import { NumberField, OptionalNumber } from "./NumberField";
import type { PartProps } from "./parts";

const MAX_ANSWERS = 12; // with their own cost

/** The costs of errors, in votes; they determine how much to spend on an item. */
export function CostsForm(props: PartProps) {
  const { settings, change } = props;
  const words = costsInVotes(settings);
  const errors = errorNames(settings);
  const mayDiffer = errors.length <= MAX_ANSWERS || words.mode === "by answer";
  return (
    <>
      {words.mode === "own" ? (
        <p class="soft">
          The error costs were set through the API. They stay as they are unless you select the option below.
        </p>
      ) : (
        <ErrorFields {...props} />
      )}
      {mayDiffer && (
        <Check
          label={settings.kind === "screening" ? "Different costs for the two errors" : "Different cost per answer"}
          hint={
            settings.kind === "screening"
              ? "Missing a relevant item is often worse than keeping an irrelevant one."
              : "Select this if some errors are worse than others."
          }
          checked={words.mode === "by answer"}
          onChange={(on) => change({ costs: toCosts(withMode(on ? "by answer" : "even", settings), settings) })}
        />
      )}
    </>
  );
}

function ErrorFields({ settings, change, faults }: PartProps) {
  const words = costsInVotes(settings);
  const unit = votePrice(settings);
  const errors = words.mode === "even" ? ["Wrong label"] : errorNames(settings);
  const put = (index: number, votes: number) =>
    change({
      costs: toCosts({ ...words, votes: words.votes.map((old, other) => (other === index ? votes : old)) }, settings),
    });
  return (
    <div class="two-fields">
      {errors.map((error, index) => (
        <NumberField
          key={error}
          label={`${error}: cost in votes`}
          hint={worth((words.votes[index] ?? 0) * unit, settings.currency)}
          value={words.votes[index]}
          wrong={words.mode === "even" ? faults["costs.error"] : faults[`costs.matrix.${index === 0 ? 1 : 0}.${index}`]}
          onChange={(votes) => put(index, votes)}
        />
      ))}
    </div>
  );
}

function worth(amount: number, currency: string): string {
  return Number.isFinite(amount) ? `${money(amount, currency)} per error` : "";
}

/** The cost of an item without a label. */
export function NoLabelForm({ settings, change, faults }: PartProps) {
  const unit = votePrice(settings);
  const { unclassifiable } = settings.costs;
  return (
    <OptionalNumber
      label="Item without a label: cost in votes"
      hint="If empty, every item gets a label. Otherwise unclassifiable items get none."
      placeholder="Label required"
      value={unclassifiable === null ? null : unclassifiable / unit}
      wrong={faults["costs.unclassifiable"]}
      onChange={(votes) =>
        change({ costs: { ...settings.costs, unclassifiable: votes === null ? null : votes * unit } })
      }
    />
  );
}
