/** How somebody came to this page: by a link of their own, or through a panel's door, which may show it in a frame. */

export interface Arrival {
  link: string;
  /** Of who came through a door into a frame, where browsers keep no cookies of ours. */
  session: string;
  /** The panel's number of this visit, and the site that it is submitted to. */
  visit: string;
  submit: string;
  /** A panel shows what is asked to somebody who has not accepted it yet. */
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

/** Whether the page is shown inside of another. */
export function isFramed(): boolean {
  return window.top !== window;
}
