/** Where the image or sound of an item is. An uploaded file has an address of ours; of others, only the web's are shown. */
export function addressOf(content: Record<string, unknown>, base: string): string {
  if (typeof content.media === "string") return `${base}/media`;
  const url = String(content.url ?? "");
  return /^https?:\/\//.test(url) ? url : "";
}
