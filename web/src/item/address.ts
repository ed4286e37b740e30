/** Returns the URL of the image or audio of an item: uploads by the service, others only over HTTP or HTTPS. */
export function addressOf(content: Record<string, unknown>, base: string): string {
  if (typeof content.media === "string") return `${base}/media`;
  const url = String(content.url ?? "");
  return /^https?:\/\//.test(url) ? url : "";
}
