import { useEffect, useState } from "preact/hooks";

/** The address as parts: /projects/3/items?filter=open -> ["projects", "3", "items"]. */
export function partsOf(path: string): string[] {
  return path.split("/").filter(Boolean).map(decodeURIComponent);
}

const changed = "quorate:moved";

/** Go to another page of this app. */
export function go(href: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", href);
  dispatchEvent(new Event(changed));
}

/** Where we are; it changes with links, buttons and the browser's own way back. */
export function useRoute(): { path: string; parts: string[]; query: URLSearchParams } {
  const [href, setHref] = useState(location.pathname + location.search);
  useEffect(() => {
    const look = () => setHref(location.pathname + location.search);
    addEventListener("popstate", look);
    addEventListener(changed, look);
    look(); // the address may have changed since the first look
    return () => {
      removeEventListener("popstate", look);
      removeEventListener(changed, look);
    };
  }, []);
  const url = new URL(href, location.origin);
  return { path: url.pathname, parts: partsOf(url.pathname), query: url.searchParams };
}

/** What the browser calls this page, in its tab and history; nothing is changed while it is not known. */
export function useTitle(name: string | null): void {
  useEffect(() => {
    if (name !== null) document.title = `${name} · Quorate`;
  }, [name]);
}

const OWN = /^\/(?!api\/|work\/|enter\/|docs|openapi|readyz|metrics)/;

/** Follow plain links without loading the page anew. */
export function followLinks(): void {
  addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    const href = link?.getAttribute("href");
    if (!link || !href || !OWN.test(href) || link.target || link.hasAttribute("download")) return;
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(href);
    scrollTo(0, 0);
  });
}
