/** The text before the part that is asked about, that part, and the rest; null where none is marked. */
export function splitAtSpan(text: string, span: unknown): [string, string, string] | null {
  if (!Array.isArray(span) || span.length !== 2) return null;
  const [start, end] = span as unknown[];
  if (!Number.isInteger(start) || !Number.isInteger(end)) return null;
  const letters = [...text]; // a service that counts in Python counts whole characters
  const [from, to] = [Math.max(0, start as number), Math.min(letters.length, end as number)];
  if (from >= to) return null;
  const cut = (begin: number, two?: number) => letters.slice(begin, two).join("");
  return [cut(0, from), cut(from, to), cut(to)];
}
