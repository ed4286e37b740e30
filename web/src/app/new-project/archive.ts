/** A reader of the zip format that shows the first images of an archive before the upload. */

const END_RECORD = 0x06054b50; // the record at the end of an archive that locates its directory
const ENTRY = 0x02014b50;
const TYPES: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};
const MAX_END_BYTES = 66_000; // at the end of the file, which contain that record

interface Entry {
  name: string;
  packed: boolean;
  size: number;
  at: number;
}

/** Returns the names of the files in an archive; null if they cannot be read. */
export async function namesIn(file: Blob): Promise<string[] | null> {
  const entries = await directory(file);
  return entries?.map((entry) => entry.name).filter(isShown) ?? null;
}

/** Returns one of the first images of an archive. */
export async function imageIn(file: Blob, index: number): Promise<Blob | null> {
  const images = (await directory(file))?.filter((entry) => typeOf(entry.name)) ?? [];
  const entry = images[index % Math.max(1, images.length)];
  return entry ? unpacked(file, entry) : null;
}

async function directory(file: Blob): Promise<Entry[] | null> {
  const tail = new DataView(await file.slice(Math.max(0, file.size - MAX_END_BYTES)).arrayBuffer());
  for (let at = tail.byteLength - 22; at >= 0; at--)
    if (tail.getUint32(at, true) === END_RECORD) {
      const size = tail.getUint32(at + 12, true);
      const start = tail.getUint32(at + 16, true);
      return entriesOf(new DataView(await file.slice(start, start + size).arrayBuffer()));
    }
  return null;
}

function entriesOf(view: DataView): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + 46 <= view.byteLength && view.getUint32(at, true) === ENTRY; ) {
    const named = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, named));
    const packed = view.getUint16(at + 10, true) !== 0;
    entries.push({ name, packed, size: view.getUint32(at + 20, true), at: view.getUint32(at + 42, true) });
    at += 46 + named + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

async function unpacked(file: Blob, entry: Entry): Promise<Blob> {
  const head = new DataView(await file.slice(entry.at, entry.at + 30).arrayBuffer());
  const start = entry.at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const data = file.slice(start, start + entry.size);
  const type = typeOf(entry.name) ?? "";
  if (!entry.packed) return data.slice(0, data.size, type);
  const bytes = await new Response(data.stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
  return new Blob([bytes], { type });
}

function typeOf(name: string): string | undefined {
  return isShown(name) ? TYPES[name.toLowerCase().split(".").pop() ?? ""] : undefined;
}

/** Returns whether a file is neither a folder nor hidden. */
function isShown(name: string): boolean {
  return !name.endsWith("/") && !name.split("/").some((part) => part.startsWith(".") || part === "__MACOSX");
}
