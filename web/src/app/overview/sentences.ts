import type { Band, Certificate, Forecast, Progress } from "../../api";
import { count, days, money, percent } from "../../ui/format";

/** Rounds money of a forecast to a sensible precision. */
export function roundMoney(amount: number, currency = ""): string {
  const size = Math.abs(amount);
  const step = size >= 1000 ? 10 ** (Math.floor(Math.log10(size)) - 2) : size >= 20 ? 1 : size >= 1 ? 0.1 : 0.01;
  return money(Number((Math.round(amount / step) * step).toFixed(2)), currency);
}

export function isPoint(band: Band): boolean {
  return band.high - band.low < 1e-9;
}

/** Describes the forecast of the total cost. left: days to go at the current pace, if votes arrive. */
export function forecastSentence({ spend }: Forecast, currency: string, left: number | null): string {
  const cost = isPoint(spend)
    ? `${roundMoney(spend.value, currency)} in total.`
    : `about ${roundMoney(spend.value, currency)} in total (80% interval: ${roundMoney(spend.low)} to ${roundMoney(spend.high)}).`;
  return left ? `${cost} Time left at the current pace: about ${days(left)}.` : cost;
}

const MIN_FORECAST_VOTES = 20; // as in the service

/** Says when the first forecast appears. */
export function noForecastYet(votes: number): string {
  return votes < MIN_FORECAST_VOTES ? "appears after about 20 votes." : "appears with one of the next model versions.";
}

/** Returns the days until the forecast number of votes is reached at the current pace; null without votes. */
export function daysLeft({ votes }: Forecast, votesSoFar: number, votesPerHour: number | null): number | null {
  const left = Math.max(0, votes.value - votesSoFar);
  return votesPerHour ? left / votesPerHour / 24 : null;
}

/** Describes the cost of a fixed number of votes per item, for comparison; null if unknown. */
export function fixedVotesSentence(fixed: Progress["fixed"], currency: string): string | null {
  if (!fixed.length) return null;
  const costs = fixed.map(
    (baseline) => `${money(baseline.spend, currency)} with ${count(baseline.votes)} votes per item`,
  );
  return `For comparison: ${costs.join(", ")}.`;
}

/** Returns a warning if the budget may not suffice for the forecast; otherwise null. */
export function budgetWarning(spend: Band, limit: number | null, currency: string): string | null {
  if (limit === null || spend.high <= limit) return null;
  const budget = money(limit, currency);
  return spend.value > limit
    ? `The budget of ${budget} will likely be used up before all items are decided. Raise it to continue with the open items.`
    : `The budget of ${budget} may be used up before all items are decided.`;
}

const LOOSE_BOUND = 0.25; // with few audited labels, a larger bound is not informative
const MIN_AUDITED = 60; // audited labels; with fewer, the bound depends mostly on their number

/** Describes the error rate that an audit certifies; `sure` is the headline. */
export function certificateSentence(
  certificate: Certificate | null,
  auditShare: number,
  over = false,
): { sure: string | null; text: string } {
  if (!certificate?.audited || certificate.bound === null)
    return { sure: null, text: noAuditSentence(auditShare, over) };
  const wrong =
    certificate.wrong === 0
      ? "none was wrong"
      : `${count(certificate.wrong)} ${certificate.wrong === 1 ? "was" : "were"} wrong`;
  const confidence = `${percent(1 - certificate.delta)} confidence`;
  const seen = `Experts audited ${count(certificate.audited)} of ${count(certificate.accepted)} accepted labels, selected at random; ${wrong}.`;
  if (certificate.audited < MIN_AUDITED && certificate.bound > LOOSE_BOUND)
    return {
      sure: null,
      text: `${seen} The audit is still small: the error rate is at most ${formatShare(certificate.bound)}, with ${confidence}.`,
    };
  const more = certificate.audited < MIN_AUDITED ? " A larger audit can lower this bound." : "";
  return { sure: `Error rate at most ${formatShare(certificate.bound)}`, text: `With ${confidence}. ${seen}${more}` };
}

function noAuditSentence(auditShare: number, over: boolean): string {
  if (over)
    return "The labels were not audited, so the error rate is not certified. To certify it, invite an expert, set an audit share in the settings and reopen the project.";
  if (auditShare === 0) return "No audit: set an audit share in the settings to certify the error rate.";
  return `No audit yet: experts will review a random ${percent(auditShare)} of the accepted labels.`;
}

/** Describes the error rate that the model expects, with its band. labels: number of labels by crowd and classifier. */
export function expectedErrorSentence(band: Progress["estimated_error_band"], labels: number): string | null {
  if (band === null || labels === 0) return null;
  const share = `about ${formatShare(band.value)} of ${count(labels)} labels by crowd and classifier are wrong`;
  return `Model estimate: ${share} (80% band ${formatShare(band.low)} to ${formatShare(band.high)}).`;
}

/** Formats a share with more decimals if it is small. */
export function formatShare(value: number): string {
  return percent(value, value === 0 || value >= 0.1 ? 0 : value < 0.001 ? 2 : 1);
}
