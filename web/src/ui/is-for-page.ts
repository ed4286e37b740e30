/** Returns whether a key press is meant for the page, not for a field, a dialog or the browser. held: allow repeats. */
export function isForPage(event: KeyboardEvent, held = false): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || (event.repeat && !held)) return false;
  const target = event.target as Element | null;
  return !target?.closest?.("input, textarea, select, dialog[open], [contenteditable]");
}
