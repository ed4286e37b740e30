import { money } from "../../ui/format";
import { Check } from "./Check";
import { costsOf, costWords, errorsOf, told, unitOf } from "./costs";
import { NumberField, OptionalNumber } from "./NumberField";
import type { PartProps } from "./parts";

const MOST_ANSWERS = 12; // to ask about one by one

/** What errors cost, asked in votes: what is right to spend on an item follows from it. */
export function CostsForm(props: PartProps) {
  const { settings, change } = props;
  const words = costWords(settings);
  const errors = errorsOf(settings);
  const mayDiffer = errors.length <= MOST_ANSWERS || words.how === "by answer";
  return (
    <>
      {words.how === "own" ? (
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
          checked={words.how === "by answer"}
          onChange={(on) => change({ costs: costsOf(told(on ? "by answer" : "even", settings), settings) })}
        />
      )}
    </>
  );
}

function ErrorFields({ settings, change, faults }: PartProps) {
  const words = costWords(settings);
  const unit = unitOf(settings);
  const errors = words.how === "even" ? ["A wrong label"] : errorsOf(settings);
  const put = (place: number, votes: number) =>
    change({
      costs: costsOf({ ...words, each: words.each.map((old, other) => (other === place ? votes : old)) }, settings),
    });
  return (
    <div class="two-fields">
      {errors.map((error, place) => (
        <NumberField
          key={error}
          label={`${error} costs as much as … labels`}
          hint={worth((words.each[place] ?? 0) * unit, settings.currency)}
          value={words.each[place]}
          wrong={words.how === "even" ? faults["costs.error"] : faults[`costs.matrix.${place === 0 ? 1 : 0}.${place}`]}
          onChange={(votes) => put(place, votes)}
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
  const unit = unitOf(settings);
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
