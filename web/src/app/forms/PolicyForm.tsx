import type { LearnerName } from "../../api";
import { Choice, Field } from "../../ui";
import { Check } from "./Check";
import { NumberField } from "./NumberField";
import type { PartProps } from "./parts";
import { LEARNER_NAMES, POLICY_NAMES, POLICY_OPTIONS } from "./policies";

/** The policy; the default suits nearly all projects. */
export function PolicyForm({ settings, change, faults }: PartProps) {
  const { policy } = settings;
  const names = Object.keys(POLICY_NAMES).includes(policy.name)
    ? POLICY_NAMES
    : { ...POLICY_NAMES, [policy.name]: policy.name };
  return (
    <>
      <Choice
        label="Policy"
        value={policy.name}
        onChange={(e) => change({ policy: { name: e.currentTarget.value, options: {} } })}
      >
        {Object.entries(names).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </Choice>
      <div class="two-fields">
        {(POLICY_OPTIONS[policy.name] ?? []).map((option) => (
          <NumberField
            key={option.name}
            label={option.label}
            value={Number(policy.options[option.name] ?? option.defaultValue)}
            onChange={(value) =>
              change({ policy: { ...policy, options: { ...policy.options, [option.name]: value } } })
            }
          />
        ))}
        <NumberField
          label="Maximum votes per item"
          hint="After that, an expert is asked or the most probable label is used."
          value={settings.votes_per_item}
          wrong={faults.votes_per_item}
          onChange={(votes_per_item) => change({ votes_per_item })}
        />
      </div>
    </>
  );
}

/** The classifier that learns from the votes. */
export function LearnerForm({ settings, change, faults }: PartProps) {
  const { learner } = settings;
  return (
    <>
      <Choice
        label="Classifier"
        value={learner.name}
        onChange={(e) => {
          const name = e.currentTarget.value as LearnerName;
          change({ learner: { name, url: name === "http" ? "https://" : null } });
        }}
      >
        {Object.entries(LEARNER_NAMES).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </Choice>
      {learner.name === "http" && (
        <Field
          label="Model URL"
          type="url"
          value={learner.url ?? ""}
          wrong={faults["learner.url"]}
          onInput={(e) => change({ learner: { ...learner, url: e.currentTarget.value } })}
        />
      )}
      <Check
        label="Continuous project"
        hint="Keep the project open for new items when all current items are decided."
        checked={settings.endless}
        onChange={(endless) => change({ endless })}
      />
    </>
  );
}
