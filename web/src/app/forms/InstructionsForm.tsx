import type { Consent } from "../../api";
import { Field, TextField } from "../../ui";
import { Options } from "./Options";
import type { PartProps } from "./parts";

/** What workers read before they begin. */
export function InstructionsForm({ settings, change }: PartProps) {
  return (
    <TextField
      label="Instructions"
      hint="Workers read them once, and can open them again. Say what to do with borderline cases."
      rows={4}
      value={settings.instructions}
      onInput={(e) => change({ instructions: e.currentTarget.value })}
    />
  );
}

type How = "none" | "text" | "url";

/** What workers agree to before they see anything. */
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
          ["none", "None", "In-house work"],
          ["text", "A text", "Shown before the work"],
          ["url", "A page of yours", "Linked before the work"],
        ]}
      />
      {how === "text" && (
        <TextField
          label="What workers agree to"
          rows={4}
          value={consent?.text ?? ""}
          wrong={faults["consent.text"]}
          onInput={(e) => put({ text: e.currentTarget.value })}
        />
      )}
      {how === "url" && (
        <Field
          label="Address of the page"
          type="url"
          value={consent?.url ?? ""}
          wrong={faults["consent.url"]}
          onInput={(e) => put({ url: e.currentTarget.value })}
        />
      )}
      {consent && (
        <Field
          label="Version"
          hint="A new version is asked for anew."
          maxLength={40}
          value={consent.version}
          wrong={faults["consent.version"]}
          onInput={(e) => put({ version: e.currentTarget.value })}
        />
      )}
    </>
  );
}
