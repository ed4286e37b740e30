import type { PanelEntry } from "../../api";
import { Copy } from "../../ui";
import { addressFor, type PanelKind } from "./panel-entry";

const HINTS: Record<PanelKind, string> = {
  prolific: "Paste it as the study URL. Prolific fills in the IDs.",
  mturk: "Paste it as the ExternalURL of an ExternalQuestion. MTurk adds the IDs.",
  other: "Replace WORKER and SESSION by the placeholders of your panel.",
};

/** The URL to which a panel sends workers. */
export function PanelAddress({ entry, panel }: { entry: PanelEntry; panel: PanelKind }) {
  return (
    <>
      <Copy label="Study URL" text={addressFor(panel, entry)} hint={HINTS[panel]} />
      {!entry.signed && <p class="soft small">Worker IDs are not signed: share this URL only with the panel.</p>}
    </>
  );
}
