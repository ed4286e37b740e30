import type { FilePreview } from "../../api";
import { Scroller } from "../../ui";

const MAX_CHARACTERS = 160; // of a cell

/** The first rows of the file. */
export function SampleRows({ looked }: { looked: FilePreview }) {
  const names = looked.header.length ? looked.header.map((column) => column.name) : Object.keys(looked.rows[0] ?? {});
  if (!looked.rows.length || !names.length) return null;
  return (
    <Scroller label="First rows">
      <table class="table sample">
        <caption class="unseen">First rows of the file</caption>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {looked.rows.map((row, index) => (
            <tr key={index}>
              {names.map((name) => (
                <td key={name}>{formatCell(row[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
