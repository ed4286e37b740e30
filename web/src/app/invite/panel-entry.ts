/** How a panel sends people here, as the service tells it. */
export interface PanelEntry {
  entry: string;
  worker_parameter: string;
  session_parameter: string;
  signature_parameter: string;
  signed: boolean;
  key: string;
}

export type PanelKind = "prolific" | "mturk" | "other";

/** The panel by the name that the settings give it. */
export function panelKind(platform: string): PanelKind {
  const name = platform.toLowerCase();
  return name === "prolific" || name === "mturk" ? name : "other";
}

/** The address to paste into a panel, with what the panel fills in by itself. */
export function addressFor(panel: PanelKind, door: PanelEntry): string {
  if (panel === "mturk") return door.entry;
  const fill = panel === "prolific" ? { worker: "{{%PROLIFIC_PID%}}", session: "{{%SESSION_ID%}}" } : OTHER;
  const parts = [`${door.worker_parameter}=${fill.worker}`, `${door.session_parameter}=${fill.session}`];
  if (door.signed) parts.push(`${door.signature_parameter}=SIGNATURE`);
  return `${door.entry}?${parts.join("&")}`;
}

const OTHER = { worker: "WORKER", session: "SESSION" };

/** The numbers of workers out of what was pasted: one in a line, or with commas or blanks between them. */
export function parseIds(pasted: string): string[] {
  return [...new Set(pasted.split(/[\s,;]+/).filter(Boolean))];
}
