import { extent } from "./series";

/** A line chart of the size of a word. */
export function Sparkline({
  values,
  label,
  tone = "var(--accent)",
}: {
  values: number[];
  label: string;
  tone?: string;
}) {
  const { low, high } = extent(values);
  const last = Math.max(values.length - 1, 1);
  const points = values.map((value, i) => `${(100 * i) / last},${26 - (24 * (value - low)) / (high - low)}`);
  return (
    <svg class="sparkline" viewBox="0 0 100 28" preserveAspectRatio="none" role="img" aria-label={label}>
      <polyline points={points.join(" ")} style={{ stroke: tone }} />
    </svg>
  );
}
