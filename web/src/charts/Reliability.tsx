import type { Reliability as Point } from "../api";
import { percent } from "../ui/format";

interface Row {
  name: string;
  tone: string;
  points: Point[];
}

const TICKS = [0, 0.25, 0.5, 0.75, 1];
const left = (confidence: number) => 48 + 250 * confidence;
const top = (right: number) => 282 - 250 * right;

/** A reliability diagram: accuracy by confidence; points on the diagonal are calibrated. */
export function Reliability({ rows, label }: { rows: Row[]; label: string }) {
  const most = Math.max(1, ...rows.flatMap((row) => row.points.map((point) => point.n)));
  return (
    <figure class="chart">
      <ul class="legend" aria-hidden="true">
        {rows.map((row) => (
          <li key={row.name} style={{ "--tone": row.tone }}>
            {row.name}
          </li>
        ))}
      </ul>
      <svg class="reliability" viewBox="0 0 318 320" role="img" aria-label={label}>
        <Grid />
        {rows.map((row) => (
          <g key={row.name} style={{ color: row.tone }}>
            <polyline points={row.points.map((point) => `${left(point.said)},${top(point.right)}`).join(" ")} />
            {row.points.map((point) => (
              <circle
                key={point.said}
                cx={left(point.said)}
                cy={top(point.right)}
                r={3 + 5 * Math.sqrt(point.n / most)}
              >
                <title>{describePoint(point)}</title>
              </circle>
            ))}
          </g>
        ))}
      </svg>
      <details class="as-table">
        <summary>Show as table</summary>
        <ul class="small">
          {rows.flatMap((row) =>
            row.points.map((point) => (
              <li key={`${row.name}${point.said}`}>
                {row.name}: {describePoint(point)}
              </li>
            )),
          )}
        </ul>
      </details>
    </figure>
  );
}

function describePoint({ said: confidence, right, n }: Point): string {
  return `confidence ${percent(confidence)}: correct in ${percent(right)} of ${n.toLocaleString("en")}`;
}

function Grid() {
  return (
    <g class="grid">
      {TICKS.map((tick) => (
        <g key={tick}>
          <line x1={left(tick)} x2={left(tick)} y1={top(0)} y2={top(1)} />
          <line x1={left(0)} x2={left(1)} y1={top(tick)} y2={top(tick)} />
          <text x={left(tick)} y={297} text-anchor="middle">
            {percent(tick)}
          </text>
          <text x={43} y={top(tick) + 4} text-anchor="end">
            {percent(tick)}
          </text>
        </g>
      ))}
      <line class="diagonal" x1={left(0)} x2={left(1)} y1={top(0)} y2={top(1)} />
      <text x={left(0.5)} y={315} text-anchor="middle">
        Confidence
      </text>
      <text x={0} y={12}>
        Accuracy
      </text>
    </g>
  );
}
