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
    ? `${roundMoney(spend.value, currency)} in all.`
    : `About ${roundMoney(spend.value, currency)} in all; between ${roundMoney(spend.low)} and ${roundMoney(spend.high)} in about four of five projects.`;
  return left ? `${cost} Done in about ${days(left)} at this pace.` : cost;
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
    (baseline) => `${money(baseline.spend, currency)} with ${count(baseline.votes)} votes on each`,
  );
  return `To compare: ${costs.join(", ")}.`;
}

/** What the budget means for the forecast; null where there is nothing to say. */
export function budgetWarning(spend: Band, limit: number | null, currency: string): string | null {
  if (limit === null || spend.high <= limit) return null;
  const budget = money(limit, currency);
  return spend.value > limit
    ? `The budget of ${budget} is likely to end before: what is open then is not asked about any more.`
    : `The budget of ${budget} may just end before.`;
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
  const seen = `An expert looked at ${count(certificate.audited)} of ${count(certificate.accepted)} accepted labels, drawn by chance; ${wrong}.`;
  if (certificate.audited < MIN_AUDITED && certificate.bound > LOOSE_BOUND)
    return {
      sure: null,
      text: `${seen} That is too few to say much: at most ${formatShare(certificate.bound)} are wrong, with ${confidence}.`,
    };
  const more = certificate.audited < MIN_AUDITED ? " The more are audited, the lower this can come." : "";
  return { sure: `At most ${formatShare(certificate.bound)} are wrong`, text: `With ${confidence}. ${seen}${more}` };
}

function noAuditSentence(auditShare: number, over: boolean): string {
  if (over)
    return "No expert audited the labels, so there is no error that you can state. To have one, invite an expert, set an audit share in Settings, and open it again.";
  if (auditShare === 0) return "No audit: set an audit share in Settings to have an error you can state.";
  return `No audit yet: an expert will look at ${percent(auditShare)} of the accepted labels, drawn by chance.`;
}

/** What the model itself expects to be wrong among what crowd and machine decided. labels: how many that are. */
export function expectedErrorSentence(error: Progress["estimated_error"], labels: number): string | null {
  if (error === null || labels === 0) return null;
  return `The model expects about ${formatShare(error)} of the ${count(labels)} labels that crowd and machine gave so far to be wrong.`;
}

/** Small shares need decimals, large ones do not. */
export function formatShare(value: number): string {
  return percent(value, value === 0 || value >= 0.1 ? 0 : value < 0.001 ? 2 : 1);
}
