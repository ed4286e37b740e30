/** Sends answers one call at a time and requests more items in the same calls. Failed calls are retried. */
import { Problem } from "../../api/call";
import type { Next, VoteSent, VoteTaken } from "../../api/types";
import type { Outgoing } from "./queue";
import type { Service } from "./service";

const MAX_VOTES = 50; // per call
const [MIN_PAUSE, MAX_PAUSE] = [500, 20_000]; // milliseconds after a failed call

/** The source of unsent answers and the receiver of the results. */
export interface SenderEvents {
  pending(): Outgoing[];
  sending(keys: string[]): void;
  settled(results: VoteTaken[], next: Next | null): void;
  /** A change was refused: the answer stays as it was. */
  refused(problem: Problem): void;
  arrived(next: Next): void;
  connected(yes: boolean): void;
  ended(problem: Problem): void;
}

export interface CallEnvironment {
  /** Runs one call at a time, also across tabs. */
  alone<T>(run: () => Promise<T>): Promise<T>;
  rest(milliseconds: number): Promise<void>;
}

export class Sender {
  private busy = false;
  private wantsWork = false;
  private stopped = false;
  private oneByOne = 0;
  private pause = 0;
  private renewed = false;

  constructor(
    private readonly service: Service,
    private readonly events: SenderEvents,
    private readonly batch: number,
    private readonly environment: CallEnvironment,
  ) {}

  /** Sends pending answers. more: request items even if nothing is pending. */
  async go(more = false): Promise<void> {
    this.wantsWork ||= more;
    if (this.busy) return;
    this.busy = true;
    try {
      while (!this.stopped && (this.wantsWork || this.events.pending().length)) {
        const problem = await this.environment.alone(() => this.tryStep());
        if (problem) await this.handleProblem(problem);
        else this.markConnected();
      }
    } finally {
      this.busy = false;
    }
  }

  stop(): void {
    this.stopped = true;
  }

  private async tryStep(): Promise<Problem | null> {
    try {
      await this.step();
      return null;
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }

  private async step(): Promise<void> {
    const [first] = this.events.pending();
    if (!first) return this.ask();
    if (first.amends !== null) return this.change(first);
    const batch = nextBatch(this.events.pending(), this.oneByOne ? 1 : MAX_VOTES);
    this.events.sending(batch.map((outgoing) => outgoing.key));
    const taken = await this.service.votes(batch.map(toVote), this.batch);
    this.wantsWork = false;
    if (this.oneByOne) this.oneByOne -= 1;
    this.events.settled(taken.votes, taken.next);
  }

  private async ask(): Promise<void> {
    const next = await this.service.next(this.batch);
    this.wantsWork = false;
    this.events.arrived(next);
  }

  private async change(outgoing: Outgoing): Promise<void> {
    if (outgoing.vote === null) return this.events.settled([lateResult(outgoing.key)], null);
    this.events.sending([outgoing.key]);
    const { key, label, said: kind } = outgoing;
    const taken = await this.service.amend(outgoing.vote, { key, label, said: kind });
    this.events.settled([taken], null);
  }

  private markConnected(): void {
    this.pause = 0;
    this.renewed = false;
    this.events.connected(true);
  }

  private async handleProblem(problem: Problem): Promise<void> {
    if (problem.isTemporary) {
      this.events.connected(false);
      this.pause = Math.min(MAX_PAUSE, this.pause * 2 || MIN_PAUSE);
      await this.environment.rest(problem.retryAfter ? problem.retryAfter * 1000 : this.pause);
    } else if (problem.status === 403 && !this.renewed) await this.renew();
    else if (problem.status === 401 || problem.status === 403) this.end(problem);
    else this.setAside(problem);
  }

  /** Renews the session after a refusal, which may be due to an old session. */
  private async renew(): Promise<void> {
    this.renewed = true;
    try {
      await this.service.renew();
    } catch (error) {
      if (error instanceof Problem && error.isTemporary) this.renewed = false;
      else this.end(error as Problem);
    }
  }

  /** One of several answers is invalid: sends them one by one and drops the invalid one. */
  private setAside(problem: Problem): void {
    const pending = this.events.pending();
    const batch = nextBatch(pending, this.oneByOne ? 1 : MAX_VOTES);
    const [first] = pending;
    if (!first) this.end(problem);
    else if (batch.length > 1) this.oneByOne = batch.length;
    else {
      if (first.amends !== null) this.events.refused(problem);
      this.events.settled([lateResult(first.key)], null);
    }
  }

  private end(problem: Problem): void {
    this.stopped = true;
    this.events.ended(problem);
  }
}

/** Returns the answers that fit in one call: no changes, and one answer per lease. */
function nextBatch(pending: Outgoing[], most: number): Outgoing[] {
  const batch: Outgoing[] = [];
  for (const outgoing of pending) {
    if (batch.length === most || outgoing.amends !== null || batch.some((other) => other.lease === outgoing.lease))
      break;
    batch.push(outgoing);
  }
  return batch;
}

export function toVote({ lease, key, label, said: kind, seconds }: Outgoing): VoteSent {
  return { lease, key, label, said: kind, seconds };
}

function lateResult(key: string): VoteTaken {
  return { key, outcome: "late", vote: null, right: null };
}
