import { count, percent } from "../ui/format";
import { Scroller } from "../ui/Scroller";

interface Props {
  /** The text alternative, such as "Confusion matrix of pet". */
  label: string;
  /** The names of rows and columns: "True class", "Answer". */
  rowName: string;
  columnName: string;
  names: string[];
  /** values[row][column]; shares of a row, or counts. */
  values: number[][];
  shares?: boolean;
}

/** A confusion matrix, shaded by the shares of each row: correct and wrong cells have different colours. */
export function ConfusionTable({ label, rowName, columnName, names, values, shares = false }: Props) {
  return (
    <Scroller label={label}>
      <table class="heat">
        <thead>
          <tr>
            <th>
              {rowName} <span aria-hidden="true">↓</span> {columnName} <span aria-hidden="true">→</span>
            </th>
            {names.map((name) => (
              <th key={name} scope="col" title={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name, row) => (
            <tr key={name}>
              <th scope="row" title={name}>
                {name}
              </th>
              {names.map((other, column) => (
                <Cell key={other} row={values[row] ?? []} column={column} right={row === column} shares={shares} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

function Cell({ row, column, right, shares }: { row: number[]; column: number; right: boolean; shares: boolean }) {
  const value = row[column] ?? 0;
  const whole = row.reduce((sum, value) => sum + value, 0);
  if (!whole) return <td />;
  const style = { "--tone": right ? "var(--good)" : "var(--bad)", "--share": `${(45 * value) / whole}%` };
  return <td style={style}>{shares ? percent(value) : formatCount(value)}</td>;
}

/** Formats a count, which may be a fraction if it is estimated. */
function formatCount(value: number): string {
  if (value >= 0.5) return count(value);
  return value < 0.05 ? "" : "<1";
}
