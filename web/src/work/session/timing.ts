/** How long an answer took while the page was visible. */

const MAX_SECONDS = 300; // longer times mean that the voter was away

export function median(values: number[]): number | null {
  if (!values.length) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Counts the seconds in which the page is visible. */
export class Stopwatch {
  private gathered = 0;
  private since: number | null;

  constructor(private readonly clock: () => number) {
    this.since = clock();
  }

  restart(): void {
    this.gathered = 0;
    if (this.since !== null) this.since = this.clock();
  }

  pause(): void {
    this.gathered = this.milliseconds;
    this.since = null;
  }

  resume(): void {
    this.since ??= this.clock();
  }

  get seconds(): number {
    return Math.min(MAX_SECONDS, Math.round(this.milliseconds / 10) / 100);
  }

  private get milliseconds(): number {
    return this.gathered + (this.since === null ? 0 : this.clock() - this.since);
  }
}
