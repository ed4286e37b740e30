import type { Band, Certificate, Forecast, Progress } from "../../api";
import { count, days, money, percent } from "../../ui/format";

/** Money as it is foretold: nobody needs the cents of a guess. */
export function roundMoney(amount: number, currency = ""): string {
  const size = Math.abs(amount);
  const step = size >= 1000 ? 10 ** (Math.floor(Math.log10(size)) - 2) : size >= 20 ? 1 : size >= 1 ? 0.1 : 0.01;
  return money(Number((Math.round(amount / step) * step).toFixed(2)), currency);
}

export function isPoint(band: Band): boolean {
  return band.high - band.low < 1e-9;
}

/** What it will have cost in the end, in a sentence. left: days to go at this pace, if votes come in. */
export function forecastSentence({ spend }: Forecast, currency: string, left: number | null): string {
  const cost = isPoint(spend)
    ? `${roundMoney(spend.value, currency)} in total.`
    : `about ${roundMoney(spend.value, currency)} in total (80 % interval: ${roundMoney(spend.low)} to ${roundMoney(spend.high)}).`;
  return left ? `${cost} Time left at the current pace: about ${days(left)}.` : cost;
}

/** Days until all votes are in that are foretold, as fast as they come now; null where none come. */
export function daysLeft({ votes }: Forecast, votesSoFar: number, votesPerHour: number | null): number | null {
  const left = Math.max(0, votes.value - votesSoFar);
  return votesPerHour ? left / votesPerHour / 24 : null;
}

/** What the same number of votes on every item costs, to compare with; null where that is not known. */
export function fixedVotesSentence(fixed: Progress["fixed"], currency: string): string | null {
  if (!fixed.length) return null;
  const costs = fixed.map(
    (baseline) => `${money(baseline.spend, currency)} with ${count(baseline.votes)} votes per item`,
  );
  return `For comparison: ${costs.join(", ")}.`;
}

/** What the budget means for the forecast; null where there is nothing to say. */
export function budgetWarning(spend: Band, limit: number | null, currency: string): string | null {
  if (limit === null || spend.high <= limit) return null;
  const budget = money(limit, currency);
  return spend.value > limit
    ? `The budget of ${budget} will likely be used up before all items are decided. Raise it to continue with the open items.`
    : `The budget of ${budget} may be used up before all items are decided.`;
}

const LOOSE_BOUND = 0.25; // a bound above it is no news, where few labels are audited
const MIN_AUDITED = 60; // audited labels: the bound says more of their number than of the labels

/** How wrong the accepted labels are, as an audit shows it; `sure` is the part to read first. */
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

/** What the model itself expects to be wrong among what crowd and machine decided. labels: how many that are. */
export function expectedErrorSentence(error: Progress["estimated_error"], labels: number): string | null {
  if (error === null || labels === 0) return null;
  return `Estimated error rate: ${formatShare(error)} of ${count(labels)} labels by crowd and classifier.`;
}

/** Small shares need decimals, large ones do not. */
export function formatShare(value: number): string {
  return percent(value, value === 0 || value >= 0.1 ? 0 : value < 0.001 ? 2 : 1);
}
