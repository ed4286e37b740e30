/** How a voter came to this page: by a personal link, or through a panel, which may show the page in a frame. */

export interface Arrival {
  link: string;
  /** The session of a voter from a panel that shows the page in a frame, where cookies are blocked. */
  session: string;
  /** The panel's ID of this visit, and the site to submit it to. */
  visit: string;
  submit: string;
  /** Whether the panel shows a preview to someone who has not accepted the task yet. */
  preview: boolean;
}

export function arrivalOf(hash: string): Arrival {
  const text = hash.replace(/^#/, "");
  const params = new URLSearchParams(text);
  const of = (name: string) => params.get(name) ?? "";
  const preview = text === "preview";
  const link = preview || params.has("session") ? "" : text;
  return { link, session: of("session"), visit: of("visit"), submit: of("submit"), preview };
}

/** Returns whether the page is shown in a frame. */
export function isFramed(): boolean {
  return window.top !== window;
}
