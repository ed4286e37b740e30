/** Formatting of numbers and times. */
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
/** Keeps a number and its unit on one line. */
const NO_BREAK = "\u00a0";
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export function count(n: number): string {
  return whole.format(n);
}

export function short(n: number): string {
  return n < 10_000 ? whole.format(n) : compact.format(n);
}

/** Formats money with as many decimals as it needs: 0.05, 12.40, 1,280. */
export function money(amount: number, currency = ""): string {
  const size = Math.abs(amount);
  const digits = size >= 1000 || Number.isInteger(amount) ? 0 : size >= 0.1 || size === 0 ? 2 : 4;
  const formatter = new Intl.NumberFormat("en", {
    minimumFractionDigits: digits === 2 ? 2 : 0,
    maximumFractionDigits: digits,
  });
  if (!currency) return formatter.format(amount);
  return formatter.format(amount) + (currency.length > 3 ? " " : NO_BREAK) + currency; // a long name may wrap
}

export function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)}%`;
}

export function seconds(time: number): string {
  if (time < 60) return `${time < 10 ? time.toFixed(1) : Math.round(time)}${NO_BREAK}s`;
  if (time < 3600) return `${Math.round(time / 60)}${NO_BREAK}min`;
  return time < 86_400 ? `${(time / 3600).toFixed(1)}${NO_BREAK}h` : `${(time / 86_400).toFixed(1)}${NO_BREAK}days`;
}

export function days(n: number): string {
  return seconds(n * 86_400);
}

/** Formats a moment: the time if it is today, otherwise the date. at: seconds since 1970. */
export function moment(at: number, now = Date.now() / 1000): string {
  const today = new Date(now * 1000).toDateString() === new Date(at * 1000).toDateString();
  return today ? clock(at) : `${date(at)} ${new Date(at * 1000).getFullYear()}`;
}

/** Returns a format that distinguishes moments within a span of seconds: by date, by time or to the second. */
export function momentFormat(span: number): (at: number) => string {
  if (span > 5 * 86_400) return date;
  if (span > 86_400) return (at) => `${date(at)} ${clock(at)}`;
  return span > 600 ? clock : (at) => new Date(at * 1000).toLocaleTimeString("en-GB");
}

function clock(at: number): string {
  return new Date(at * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

function date(at: number): string {
  return new Date(at * 1000).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}

export function ago(at: number | null, now = Date.now() / 1000): string {
  if (at === null) return "never";
  const gone = Math.max(0, now - at);
  return gone < 5 ? "just now" : `${seconds(gone)} ago`;
}
