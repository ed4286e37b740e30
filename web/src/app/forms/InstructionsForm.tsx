import type { Consent } from "../../api";
import { Field, TextField } from "../../ui";
import { Options } from "./Options";
import type { PartProps } from "./parts";

/** The instructions for workers. */
export function InstructionsForm({ settings, change }: PartProps) {
  return (
    <TextField
      label="Instructions"
      hint="Shown to workers before they start and available at any time. Explain how to handle borderline cases."
      rows={4}
      value={settings.instructions}
      onInput={(e) => change({ instructions: e.currentTarget.value })}
    />
  );
}

type How = "none" | "text" | "url";

/** The consent that workers give before they start. */
export function ConsentForm({ settings, change, faults }: PartProps) {
  const { consent } = settings;
  const how: How = consent === null ? "none" : consent.url === null ? "text" : "url";
  const put = (patch: Partial<Consent>) =>
    change({ consent: { version: "1", text: "", url: null, ...consent, ...patch } });
  const choose = (chosen: How) => {
    if (chosen === "none") change({ consent: null });
    else put({ url: chosen === "url" ? (consent?.url ?? "https://") : null });
  };
  return (
    <>
      <Options
        legend="Informed consent"
        value={how}
        onChange={choose}
        options={[
          ["none", "None", "For internal work"],
          ["text", "Text", "Shown before the first item"],
          ["url", "Your own page", "Linked before the first item"],
        ]}
      />
      {how === "text" && (
        <TextField
          label="Consent text"
          rows={4}
          value={consent?.text ?? ""}
          wrong={faults["consent.text"]}
          onInput={(e) => put({ text: e.currentTarget.value })}
        />
      )}
      {how === "url" && (
        <Field
          label="Page URL"
          type="url"
          value={consent?.url ?? ""}
          wrong={faults["consent.url"]}
          onInput={(e) => put({ url: e.currentTarget.value })}
        />
      )}
      {consent && (
        <Field
          label="Version"
          hint="Workers must agree again when the version changes."
          maxLength={40}
          value={consent.version}
          wrong={faults["consent.version"]}
          onInput={(e) => put({ version: e.currentTarget.value })}
        />
      )}
    </>
  );
}
