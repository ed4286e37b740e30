/** Splits a text into the parts before, in and after a span; null without a valid span. */
export function splitAtSpan(text: string, span: unknown): [string, string, string] | null {
  if (!Array.isArray(span) || span.length !== 2) return null;
  const [start, end] = span as unknown[];
  if (!Number.isInteger(start) || !Number.isInteger(end)) return null;
  const letters = [...text]; // code points, as Python counts them
  const [from, to] = [Math.max(0, start as number), Math.min(letters.length, end as number)];
  if (from >= to) return null;
  const cut = (begin: number, two?: number) => letters.slice(begin, two).join("");
  return [cut(0, from), cut(from, to), cut(to)];
}
