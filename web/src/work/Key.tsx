import { keyName } from "./text";

/** A key printed on a button; screen readers use aria-keyshortcuts or the list of keys. always: also on phones. */
export function Key({ name, always }: { name: string | null; always?: boolean }) {
  if (!name) return null;
  return (
    <span class={always ? "" : "with-keys"} aria-hidden="true">
      <kbd>{keyName(name)}</kbd>
    </span>
  );
}
