import { useEffect, useState } from "preact/hooks";

/** Splits an address into parts: /projects/3/items?filter=open -> ["projects", "3", "items"]. */
export function partsOf(path: string): string[] {
  return path.split("/").filter(Boolean).map(decodeURIComponent);
}

const changed = "quorate:moved";

/** Opens another page of this app. */
export function go(href: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", href);
  dispatchEvent(new Event(changed));
}

/** Returns the current address; it changes with links, buttons and the browser's back button. */
export function useRoute(): { path: string; parts: string[]; query: URLSearchParams } {
  const [href, setHref] = useState(location.pathname + location.search);
  useEffect(() => {
    const update = () => setHref(location.pathname + location.search);
    addEventListener("popstate", update);
    addEventListener(changed, update);
    update(); // the address may have changed since the first render
    return () => {
      removeEventListener("popstate", update);
      removeEventListener(changed, update);
    };
  }, []);
  const url = new URL(href, location.origin);
  return { path: url.pathname, parts: partsOf(url.pathname), query: url.searchParams };
}

/** Sets the title of the browser tab; null leaves it unchanged. */
export function useTitle(name: string | null): void {
  useEffect(() => {
    if (name !== null) document.title = `${name} · Quorate`;
  }, [name]);
}

const OWN = /^\/(?!api\/|work\/|enter\/|docs|openapi|readyz|metrics)/;

/** Opens plain links without reloading the page. */
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
