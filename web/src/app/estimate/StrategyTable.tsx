import type { Band } from "../../api";
import { Interval } from "../../charts";
import { days, moment, short } from "../../ui/format";
import { isPoint, roundMoney } from "../overview/sentences";
import type { Row } from "./strategies";

interface Props {
  rows: Row[];
  currency: string;
  settings: string;
}

/** Cost, votes, time and errors of each strategy. */
export function StrategyTable({ rows, currency, settings }: Props) {
  const most = Math.max(...rows.map((row) => row.spend.high)) || 1;
  const timed = rows.some((row) => row.days !== null);
  const audited = rows.some((row) => row.errors !== null);
  return (
    <div class="stack">
      <table class="table strategies">
        <thead>
          <tr>
            <th>Strategy</th>
            <th>Remaining cost{currency && ` (${currency})`}</th>
            <th class="number">Votes</th>
            {timed && <th class="number">Time</th>}
            {audited && <th class="number">Errors</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} class={row.key === "engine" ? "own" : undefined}>
              <th scope="row">
                {row.name}
                <span class="soft small">{row.what}</span>
              </th>
              <td data-name="Cost">
                <b>{roundMoney(row.spend.value)}</b> <span class="soft small">{range(row.spend, roundMoney)}</span>
                <Interval
                  band={row.spend}
                  most={most}
                  label={`${row.name}: ${roundMoney(row.spend.value, currency)} ${range(row.spend, roundMoney)}`}
                  tone={row.key === "engine" ? "var(--accent)" : "var(--line-strong)"}
                />
              </td>
              <td class="number" data-name="Votes">
                {short(Math.round(row.votes.value))}
              </td>
              {timed && (
                <td class="number" data-name="Time">
                  <Duration days={row.days} />
                </td>
              )}
              {audited && (
                <td class="number" data-name="Errors">
                  {row.errors ? short(Math.round(row.errors.value)) : <span class="soft">Unknown</span>}
                  {row.errors && <span class="soft small"> {range(row.errors, (n) => short(Math.round(n)))}</span>}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="small soft">
        Bars show 80% intervals. {timed && "Times assume the pace of the pilot. "}
        {!audited && (
          <>
            Errors can be forecast only with an audit by experts. Set an audit share in the{" "}
            <a href={settings}>settings</a> and run another pilot.
          </>
        )}
      </p>
    </div>
  );
}

function Duration({ days: band }: { days: Band | null }) {
  if (!band) return <span class="soft">Unknown</span>;
  if (band.value === 0) return <>Immediate</>;
  return (
    <>
      {days(band.value)}
      {band.value >= 1 && <span class="soft small"> about {moment(Date.now() / 1000 + band.value * 86_400)}</span>}
    </>
  );
}

function range(band: Band, show: (value: number) => string): string {
  return isPoint(band) ? "" : `${show(band.low)} to ${show(band.high)}`;
}
