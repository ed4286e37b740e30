import type { Band } from "../api";

interface Props {
  band: Band;
  /** The end of the scale, which starts at 0. */
  most: number;
  /** The text alternative: "1,250, between 1,080 and 1,460". */
  label: string;
  tone?: string;
}

/** An estimate with its interval, on a scale shared with others. */
export function Interval({ band, most, label, tone = "var(--accent)" }: Props) {
  const at = (value: number) => 4 + (92 * Math.min(Math.max(value, 0), most)) / (most || 1);
  const [low, high] = [at(band.low), at(band.high)];
  return (
    <svg class="interval" role="img" aria-label={label} style={{ "--tone": tone }}>
      <title>{label}</title>
      <line class="scale" x1="4%" x2="96%" y1="50%" y2="50%" />
      <rect class="range" x={`${low}%`} width={`${Math.max(high - low, 0.4)}%`} y="25%" height="50%" rx="4" />
      <circle cx={`${at(band.value)}%`} cy="50%" r="5" />
    </svg>
  );
}
