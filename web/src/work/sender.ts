/** Sends answers one call after the other, and asks for more work in the same calls. Lost calls are tried again. */
import { Problem } from "../api/call";
import type { Next, VoteSent, VoteTaken } from "../api/types";
import type { Outgoing } from "./queue";
import type { Service } from "./service";

const MOST = 50; // votes in one call
const [SHORTEST, LONGEST] = [500, 20_000]; // milliseconds of rest after a lost call

/** Whose answers are sent, and who hears what became of them. */
export interface Sent {
  pending(): Outgoing[];
  sending(keys: string[]): void;
  settled(results: VoteTaken[], next: Next | null): void;
  /** A change was refused: the answer stays as it was. */
  refused(problem: Problem): void;
  arrived(next: Next): void;
  connected(yes: boolean): void;
  ended(problem: Problem): void;
}

export interface Around {
  /** Runs one call at a time, also across tabs. */
  alone<T>(run: () => Promise<T>): Promise<T>;
  rest(milliseconds: number): Promise<void>;
}

export class Sender {
  private busy = false;
  private wanted = false;
  private stopped = false;
  private oneByOne = 0;
  private pause = 0;
  private renewed = false;

  constructor(
    private readonly service: Service,
    private readonly sent: Sent,
    private readonly batch: number,
    private readonly around: Around,
  ) {}

  /** Send what is there. more: ask for work, though there may be nothing to send. */
  async go(more = false): Promise<void> {
    this.wanted ||= more;
    if (this.busy) return;
    this.busy = true;
    try {
      while (!this.stopped && (this.wanted || this.sent.pending().length)) {
        const problem = await this.around.alone(() => this.tried());
        if (problem) await this.meet(problem);
        else this.calm();
      }
    } finally {
      this.busy = false;
    }
  }

  stop(): void {
    this.stopped = true;
  }

  private async tried(): Promise<Problem | null> {
    try {
      await this.step();
      return null;
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }

  private async step(): Promise<void> {
    const [first] = this.sent.pending();
    if (!first) return this.ask();
    if (first.amends !== null) return this.change(first);
    const few = together(this.sent.pending(), this.oneByOne ? 1 : MOST);
    this.sent.sending(few.map((one) => one.key));
    const taken = await this.service.votes(few.map(voteOf), this.batch);
    this.wanted = false;
    if (this.oneByOne) this.oneByOne -= 1;
    this.sent.settled(taken.votes, taken.next);
  }

  private async ask(): Promise<void> {
    const next = await this.service.next(this.batch);
    this.wanted = false;
    this.sent.arrived(next);
  }

  private async change(one: Outgoing): Promise<void> {
    if (one.vote === null) return this.sent.settled([lost(one.key)], null);
    this.sent.sending([one.key]);
    const { key, label, said } = one;
    const taken = await this.service.amend(one.vote, { key, label, said });
    this.sent.settled([taken], null);
  }

  private calm(): void {
    this.pause = 0;
    this.renewed = false;
    this.sent.connected(true);
  }

  private async meet(problem: Problem): Promise<void> {
    if (problem.passes) {
      this.sent.connected(false);
      this.pause = Math.min(LONGEST, this.pause * 2 || SHORTEST);
      await this.around.rest(problem.retryAfter ? problem.retryAfter * 1000 : this.pause);
    } else if (problem.status === 403 && !this.renewed) await this.renew();
    else if (problem.status === 401 || problem.status === 403) this.end(problem);
    else this.setAside(problem);
  }

  /** Refused by right or by an old session: with a fresh one it may do. */
  private async renew(): Promise<void> {
    this.renewed = true;
    try {
      await this.service.renew();
    } catch (error) {
      if (error instanceof Problem && error.passes) this.renewed = false;
      else this.end(error as Problem);
    }
  }

  /** One of several is wrong: send them one by one, and give up the one that is. */
  private setAside(problem: Problem): void {
    const pending = this.sent.pending();
    const few = together(pending, this.oneByOne ? 1 : MOST);
    const [first] = pending;
    if (!first) this.end(problem);
    else if (few.length > 1) this.oneByOne = few.length;
    else {
      if (first.amends !== null) this.sent.refused(problem);
      this.sent.settled([lost(first.key)], null);
    }
  }

  private end(problem: Problem): void {
    this.stopped = true;
    this.sent.ended(problem);
  }
}

/** The answers that can go out in one call: no changes among them, and each of another lease. */
function together(pending: Outgoing[], most: number): Outgoing[] {
  const few: Outgoing[] = [];
  for (const one of pending) {
    if (few.length === most || one.amends !== null || few.some((other) => other.lease === one.lease)) break;
    few.push(one);
  }
  return few;
}

export function voteOf({ lease, key, label, said, seconds }: Outgoing): VoteSent {
  return { lease, key, label, said, seconds };
}

function lost(key: string): VoteTaken {
  return { key, outcome: "late", vote: null, right: null };
}
