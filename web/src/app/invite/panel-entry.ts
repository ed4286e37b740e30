import type { PanelEntry } from "../../api";

export type PanelKind = "prolific" | "mturk" | "other";

/** Returns the kind of panel by its name in the settings. */
export function panelKind(platform: string): PanelKind {
  const name = platform.toLowerCase();
  return name === "prolific" || name === "mturk" ? name : "other";
}

/** Returns the URL to paste into a panel, with the placeholders of the panel. */
export function addressFor(panel: PanelKind, entry: PanelEntry): string {
  if (panel === "mturk") return entry.entry;
  const fill = panel === "prolific" ? { worker: "{{%PROLIFIC_PID%}}", session: "{{%SESSION_ID%}}" } : OTHER;
  const parts = [`${entry.worker_parameter}=${fill.worker}`, `${entry.session_parameter}=${fill.session}`];
  if (entry.signed) parts.push(`${entry.signature_parameter}=SIGNATURE`);
  return `${entry.entry}?${parts.join("&")}`;
}

const OTHER = { worker: "WORKER", session: "SESSION" };

/** Returns the worker IDs in a pasted text, separated by lines, commas or blanks. */
export function parseIds(pasted: string): string[] {
  return [...new Set(pasted.split(/[\s,;]+/).filter(Boolean))];
}
