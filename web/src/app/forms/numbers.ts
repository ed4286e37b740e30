/** Parses a typed number; a decimal comma is accepted. Empty text is null if `optional`. */
export function parseNumber(typed: string, optional: boolean, scale = 1): number | null {
  const plain = typed.trim().replace(/\s/g, "").replace(",", ".");
  if (plain === "") return optional ? null : Number.NaN;
  const value = Number(plain);
  return Number.isFinite(value) ? Number((value / scale).toPrecision(12)) : Number.NaN;
}

export function formatNumber(value: number | null | undefined, scale = 1): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "";
  return String(Number((value * scale).toPrecision(12)));
}

/** Returns whether two values are the same number or both missing. */
export function isSameNumber(first: number | null | undefined, two: number | null | undefined): boolean {
  const none = (value: number | null | undefined) => value === null || value === undefined || Number.isNaN(value);
  return none(first) ? none(two) : first === two;
}
