import { type FilePreview, post } from "../../api";
import { FILE_FORMATS } from "../../api/constants";
import { namesIn } from "./archive";
import type { Source } from "./draft";

const SAMPLE_BYTES = 1024 * 1024; // of a table, from which its columns are inferred
const MAX_WHOLE_BYTES = 64 * 1024 * 1024; // of a file that cannot be read in parts
const MAX_COUNTED_BYTES = 256 * 1024 * 1024; // beyond them, the number of lines is estimated

const BY_LINES = ["csv", "jsonl"];

export const ACCEPTED = Object.keys(FILE_FORMATS)
  .map((ending) => `.${ending}`)
  .join();

/** Returns the format of a file by its suffix; null if it is not supported. */
export function formatOf(name: string): string | null {
  const formats: Record<string, string> = FILE_FORMATS;
  return formats[name.toLowerCase().split(".").pop() ?? ""] ?? null;
}

/** Returns the lines of a text without empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Returns texts as a file that the service can import, one item per line. */
export function fileOf(lines: string[], name = "texts"): File {
  const rows = lines.map((text) => JSON.stringify({ text }));
  return new File([`${rows.join("\n")}\n`], `${name}.jsonl`, { type: "application/jsonl" });
}

/** Returns the columns of pasted texts without asking the service. */
export function inspectLines(lines: string[]): FilePreview {
  const examples = lines.slice(0, 3);
  return {
    format: "jsonl",
    kind: "text",
    columns: { text: "text" },
    header: [{ name: "text", examples, distinct: new Set(lines).size, values: null, numbers: false }],
    rows: lines.slice(0, 5).map((text) => ({ text })),
    labels: [],
  };
}

export interface InspectedFile {
  file: File;
  source: Source;
  looked: FilePreview;
}

/** Inspects a file: its columns, as inferred by the service, and the number of items. */
export async function inspectFile(file: File): Promise<InspectedFile> {
  if (/\.txt$/i.test(file.name)) return inspectTextFile(file);
  const format = formatOf(file.name);
  if (format === null)
    throw new Error(
      `${file.name} is not supported. Choose a CSV, TSV, JSONL or Parquet file, or a zip archive of images.`,
    );
  const source = { name: file.name, size: file.size, pasted: false };
  if (format === "zip") {
    const names = await namesIn(file);
    const looked = file.size > MAX_WHOLE_BYTES && names ? inspectNames(names) : await askService(file, format);
    return { file, looked, source: { ...source, items: names?.length ?? null } };
  }
  if (BY_LINES.includes(format)) {
    const looked = await askService(await start(file), format, file.name);
    return { file, looked, source: { ...source, items: await rowsIn(file, format) } };
  }
  if (file.size > MAX_WHOLE_BYTES)
    throw new Error(`${file.name} is larger than 64 MB. Split it, or save it as CSV or JSONL.`);
  return { file, looked: await askService(file, format), source: { ...source, items: null } };
}

/** Asks the service for the columns of a file or of its beginning. */
function askService(part: Blob, format: string, name = (part as File).name): Promise<FilePreview> {
  const form = new FormData();
  form.append("format", format);
  form.append("file", part, name);
  return post<FilePreview>("/api/look", form);
}

/** Describes an archive that is too large to upload twice by the names of its files. */
function inspectNames(names: string[]): FilePreview {
  const rows = names.slice(0, 5).map((key) => ({ key }));
  return { format: "zip", kind: "image", columns: {}, header: [], rows, labels: [] };
}

/** Inspects a plain text file: one item or image URL per line. */
async function inspectTextFile(file: File): Promise<InspectedFile> {
  const lines = linesOf(await file.text());
  if (!lines.length) throw new Error(`${file.name} is empty. Add one item per line.`);
  const source = { name: file.name, size: file.size, pasted: false, items: lines.length };
  if (lines.every((line) => /^https?:\/\/\S+$/.test(line))) {
    const rows = lines.slice(0, 5).map((image) => ({ image }));
    const looked: FilePreview = {
      ...inspectLines(lines),
      format: "urls",
      kind: "image",
      columns: { image: "image" },
      rows,
    };
    return { file, source, looked };
  }
  return { file: fileOf(lines, file.name.replace(/\.txt$/i, "")), source, looked: inspectLines(lines) };
}

/** Returns the first megabyte of a file, cut at the end of a line. */
async function start(file: File): Promise<Blob> {
  if (file.size <= SAMPLE_BYTES) return file;
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  const end = bytes.lastIndexOf(10) + 1;
  return file.slice(0, end || SAMPLE_BYTES);
}

/** Estimates the number of rows: non-empty lines outside quotation marks, without the header of a CSV file. */
async function rowsIn(file: File, format: string): Promise<number> {
  const part = file.size > MAX_COUNTED_BYTES ? file.slice(0, MAX_COUNTED_BYTES) : file;
  let lines = 0;
  let last = 10;
  let quoted = false;
  const reader = part.stream().getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read())
    for (const byte of read.value) {
      if (byte === 34 && format === "csv") quoted = !quoted;
      if (byte === 10 && last !== 10 && !quoted) lines += 1;
      if (byte !== 13) last = byte;
    }
  if (last !== 10) lines += 1;
  const rows = Math.max(0, lines - (format === "csv" ? 1 : 0));
  return Math.round((rows * file.size) / part.size);
}
