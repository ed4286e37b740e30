import type { Forecast, Overview, Progress } from "../../api";
import { Card, Notice } from "../../ui";
import { money } from "../../ui/format";
import { ACTIVE_STATES, ASKING_STATES } from "../../ui/statuses";
import {
  budgetWarning,
  daysLeft,
  fixedVotesSentence,
  forecastSentence,
  isPoint,
  noForecastYet,
  roundMoney,
} from "./sentences";

interface Props {
  overview: Overview;
  progress: Progress | null;
  currency: string;
  /** What an active project waits for, if it has stalled. */
  waits: string | null;
}

/** Spent, reserved and available money, and the forecast of the total cost. */
export function Money({ overview, progress, currency, waits }: Props) {
  const forecast = progress?.forecast ?? null;
  const { spent, limit, state, votes } = overview;
  const moves = ASKING_STATES.includes(state) && !waits;
  const short = forecast && state !== "done" ? budgetWarning(forecast.spend, limit, currency) : null;
  return (
    <Card title="Budget">
      <p class="headline">
        <b>{money(spent, currency)}</b> spent
        {limit !== null && <span class="soft"> of {money(limit, currency)}</span>}
      </p>
      {(limit !== null || (forecast && !isPoint(forecast.spend))) && (
        <Scale overview={overview} forecast={forecast} currency={currency} />
      )}
      <p class="small soft">{promised(overview, currency)}</p>
      {state !== "done" && (
        <p>
          <b>Forecast: </b>
          {forecast
            ? forecastSentence(
                forecast,
                currency,
                moves ? daysLeft(forecast, votes, progress?.votes_per_hour ?? null) : null,
              )
            : noForecastYet(votes)}
          {ASKING_STATES.includes(state) && waits && ` ${waits}`}
        </p>
      )}
      <p class="small soft">{fixedVotesSentence(progress?.fixed ?? [], currency)}</p>
      {short && <Notice kind="warn">{short}</Notice>}
    </Card>
  );
}

function promised({ state, committed, limit }: Overview, currency: string): string {
  const under = ACTIVE_STATES.includes(state) && committed > 0;
  const sentences = under ? [`${money(committed, currency)} is reserved for votes in progress.`] : [];
  const free = state === "done" ? "No budget was set." : "No budget set: spending is not limited.";
  return [...sentences, ...(limit === null ? [free] : [])].join(" ");
}

/** Spent and reserved money, the forecast interval and the budget on one scale. */
function Scale({ overview, forecast, currency }: Omit<Props, "progress" | "waits"> & { forecast: Forecast | null }) {
  const { spent, limit } = overview;
  const committed = ACTIVE_STATES.includes(overview.state) ? overview.committed : 0;
  const band = forecast?.spend ?? null;
  const most = Math.max(spent + committed, limit ?? 0, band?.high ?? 0) || 1;
  const at = (amount: number) => `${(100 * amount) / most}%`;
  const parts = [`${money(spent, currency)} spent`];
  if (committed) parts.push(`${money(committed)} reserved`);
  if (band) parts.push(`${roundMoney(band.low)} to ${roundMoney(band.high)} forecast total`);
  if (limit !== null) parts.push(`budget ${money(limit)}`);
  return (
    <div class="money-scale" role="img" aria-label={parts.join(", ")}>
      <div class="track">
        <div class="filled">
          <span class="spent" style={{ width: at(spent) }} />
          <span class="promised" style={{ left: at(spent), width: at(committed) }} />
        </div>
        {limit !== null && <span class="limit" style={{ left: at(limit) }} />}
      </div>
      {band && !isPoint(band) && (
        <div class="forecast-range">
          <span class="range" style={{ left: at(band.low), width: at(band.high - band.low) }} />
          <span class="likely" style={{ left: at(band.value) }} />
        </div>
      )}
      <div class="ends small soft" aria-hidden="true">
        <span>0</span>
        {band && !isPoint(band) && <span class="key">Forecast</span>}
        <span>{limit !== null && most === limit ? `Budget ${money(limit)}` : roundMoney(most)}</span>
      </div>
    </div>
  );
}
