/** A line of a chart: one value per x; `tone` is a colour such as var(--crowd). */
export interface Line {
  name: string;
  tone: string;
  values: (number | null)[];
}

/** A point for comparison; without y, a vertical line. */
export interface Mark {
  name: string;
  x: number;
  y: number | null;
}

/** The box of a label: its left end, vertical centre and width. */
interface LabelBox {
  left: number;
  top: number;
  width: number;
}

/** Returns a position for a label that overlaps no other one: its own, or the next free one below. */
export function placeLabel(word: LabelBox, others: LabelBox[], height: number): LabelBox {
  const hit = others.find(
    (other) =>
      Math.abs(other.top - word.top) < height &&
      word.left < other.left + other.width &&
      other.left < word.left + word.width,
  );
  return hit ? placeLabel({ ...word, top: hit.top + height }, others, height) : word;
}

/** Stacks lines, the first at the bottom: each value becomes the sum up to it. */
export function stacked(lines: Line[]): (number | null)[][] {
  const sums: (number | null)[][] = [];
  for (const line of lines) {
    const below = sums.at(-1);
    sums.push(line.values.map((value, i) => (value ?? 0) + (below?.[i] ?? 0)));
  }
  return sums;
}

/** Returns at most n indices of a list, evenly spaced and including both ends. */
export function sampleIndices(length: number, n: number): number[] {
  if (length <= n) return Array.from({ length }, (_, i) => i);
  return Array.from({ length: n }, (_, i) => Math.round((i * (length - 1)) / (n - 1)));
}

/** Returns the range of values and marks; never empty. */
export function extent(values: (number | null)[], marks: (number | null)[] = [], from = Number.POSITIVE_INFINITY) {
  const finite = [...values, ...marks].filter((value): value is number => value !== null && Number.isFinite(value));
  const low = finite.reduce((least, value) => Math.min(least, value), from);
  const high = finite.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (low > high) return { low: 0, high: 1 };
  return low === high ? { low, high: low + (Math.abs(low) || 1) } : { low, high };
}

/** Returns whether a logarithmic scale is useful: positive values that differ by orders of magnitude. */
export function needsLogScale(values: (number | null)[]): boolean {
  const positive = values.filter((value): value is number => value !== null && value > 0);
  const { low, high } = extent(positive);
  return positive.length > 1 && high / low > 30;
}

/** Replaces values that a logarithmic scale cannot show. */
export function positiveOnly(values: (number | null)[]): (number | null)[] {
  return values.map((value) => (value !== null && value > 0 ? value : null));
}
