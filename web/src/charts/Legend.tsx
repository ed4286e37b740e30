import { Scroller } from "../ui/Scroller";
import type { ChartData } from "./plotting";
import { sampleIndices } from "./series";

interface Props {
  drawing: ChartData;
  xName: string;
}

/** The names of the lines with their values at the pointer, otherwise at the end. */
export function Legend({ drawing, xName, index }: Props & { index: number | null }) {
  const { x, lines, showX, showY } = drawing;
  const at = index ?? x.length - 1;
  const value = x[at];
  return (
    <ul class="legend" aria-hidden="true">
      {[...lines].reverse().map((line) => (
        <li key={line.name} style={{ "--tone": line.tone }}>
          {line.name} <b>{formatValue(line.values[at], showY)}</b>
        </li>
      ))}
      {index !== null && value !== undefined && (
        <li class="at">
          {xName} <b>{showX(value)}</b>
        </li>
      )}
    </ul>
  );
}

/** The data of a chart as a table. */
export function DataTable({ drawing, xName, label }: Props & { label: string }) {
  const { x, lines, marks = [], showX, showY } = drawing;
  return (
    <details class="as-table">
      <summary>Show as table</summary>
      <Scroller label={label}>
        <table class="table">
          <thead>
            <tr>
              <th class="number">{xName}</th>
              {lines.map((line) => (
                <th class="number" key={line.name}>
                  {line.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sampleIndices(x.length, 12).map((i) => (
              <tr key={i}>
                <td class="number">{showX(x[i] ?? 0)}</td>
                {lines.map((line) => (
                  <td class="number" key={line.name}>
                    {formatValue(line.values[i], showY)}
                  </td>
                ))}
              </tr>
            ))}
            {marks.map((mark) => (
              <tr key={mark.name}>
                <td class="number">{showX(mark.x)}</td>
                <td colSpan={lines.length}>
                  {mark.name}
                  {mark.y !== null && `: ${showY(mark.y)}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </details>
  );
}

function formatValue(value: number | null | undefined, show: (value: number) => string): string {
  return value === null || value === undefined ? "–" : show(value);
}
