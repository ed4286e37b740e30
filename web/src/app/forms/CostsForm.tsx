import { money } from "../../ui/format";
import { Check } from "./Check";
import { costsInVotes, errorNames, toCosts, votePrice, withMode } from "./costs";
import { NumberField, OptionalNumber } from "./NumberField";
import type { PartProps } from "./parts";

const MOST_ANSWERS = 12; // to ask about one by one

/** What errors cost, asked in votes: what is right to spend on an item follows from it. */
export function CostsForm(props: PartProps) {
  const { settings, change } = props;
  const words = costsInVotes(settings);
  const errors = errorNames(settings);
  const mayDiffer = errors.length <= MOST_ANSWERS || words.mode === "by answer";
  return (
    <>
      {words.mode === "own" ? (
        <p class="soft">What errors cost was set by a program, answer by answer. It stays so, unless you tick below.</p>
      ) : (
        <ErrorFields {...props} />
      )}
      {mayDiffer && (
        <Check
          label={settings.kind === "screening" ? "The two errors cost differently" : "It depends on the answer"}
          hint={
            settings.kind === "screening"
              ? "To miss an item is often worse than to keep one too many."
              : "When one mistake is worse than another."
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
  const errors = words.mode === "even" ? ["A wrong label"] : errorNames(settings);
  const put = (index: number, votes: number) =>
    change({
      costs: toCosts({ ...words, votes: words.votes.map((old, other) => (other === index ? votes : old)) }, settings),
    });
  return (
    <div class="two-fields">
      {errors.map((error, index) => (
        <NumberField
          key={error}
          label={`${error} costs as much as … labels`}
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
  return Number.isFinite(amount) ? `That is ${money(amount, currency)} for each one.` : "";
}

/** What it costs to give an item no label at all. */
export function NoLabelForm({ settings, change, faults }: PartProps) {
  const unit = votePrice(settings);
  const { unclassifiable } = settings.costs;
  return (
    <OptionalNumber
      label="An item without any label costs as much as … labels"
      hint="Left empty, every item must get a label; else those that cannot be told get none."
      placeholder="a label must be given"
      value={unclassifiable === null ? null : unclassifiable / unit}
      wrong={faults["costs.unclassifiable"]}
      onChange={(votes) =>
        change({ costs: { ...settings.costs, unclassifiable: votes === null ? null : votes * unit } })
      }
    />
  );
}
