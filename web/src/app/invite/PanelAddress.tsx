import { Copy } from "../../ui";
import { addressFor, type PanelEntry, type PanelKind } from "./panel-entry";

const HINTS: Record<PanelKind, string> = {
  prolific: "Paste it as the study's URL; Prolific fills in who comes.",
  mturk: "Paste it as the ExternalURL of an ExternalQuestion; MTurk adds who comes.",
  other: "WORKER and SESSION are what the panel fills in: write them its way.",
};

/** The address to which a panel sends people. */
export function PanelAddress({ door, panel }: { door: PanelEntry; panel: PanelKind }) {
  return (
    <>
      <Copy label="Address of the study" text={addressFor(panel, door)} hint={HINTS[panel]} />
      {!door.signed && <p class="soft small">Numbers need not be signed: keep the address to the panel.</p>}
    </>
  );
}
