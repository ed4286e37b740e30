import type { ShownItem } from "../../api";

const LONGEST = 200;

/** Returns an item in one line. */
export function previewLine({ kind, content }: ShownItem): string {
  return shortened(previewText(kind, content).replace(/\s+/g, " ").trim());
}

function previewText(kind: string, content: Record<string, unknown>): string {
  switch (kind) {
    case "pair":
      return `${start(content.text_a)} / ${start(content.text_b)}`;
    case "html":
      return textOf(start(content.html, 5000));
    case "features":
      return numbersOf(content);
    case "image":
    case "audio":
      return nameOf(content);
    default:
      return start(content.text);
  }
}

function numbersOf(content: Record<string, unknown>): string {
  const features = content.features;
  const numbers = typeof features === "object" && features !== null ? (features as Record<string, unknown>) : content;
  return Object.entries(numbers)
    .slice(0, 12)
    .map(([name, value]) => (Array.isArray(numbers) ? String(value) : `${name} ${value}`))
    .join(", ");
}

/** Returns the text of HTML; nothing in it is run or fetched. */
function textOf(html: string): string {
  const body = new DOMParser().parseFromString(html.replaceAll("><", "> <"), "text/html").body;
  for (const hidden of body.querySelectorAll("script, style")) hidden.remove();
  return body.textContent ?? "";
}

function nameOf(content: Record<string, unknown>): string {
  const address = String(content.image ?? content.audio ?? "");
  return address.split(/[?#]/)[0]?.split("/").pop() ?? "";
}

function start(value: unknown, most = 4 * LONGEST): string {
  return String(value ?? "").slice(0, most);
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
