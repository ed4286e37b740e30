/** Test helpers of the voter's page: leases, a visit, a fake service, and an environment with a fake clock. */

import { Problem } from "../../api/call";
import type { Lease, Next, Visit, VoteSent, VotesTaken, VoteTaken } from "../../api/types";
import type { Environment } from "./environment";
import type { Service } from "./service";
import type { Channel } from "./tab-sync";

export function lease(number: number, question = "pet", item = number): Lease {
  return {
    lease: number,
    task: 100 + number,
    question,
    item: { id: item, kind: "text", content: { text: `item ${item}` } },
    expires_at: 0,
    practice: false,
  };
}

export function sampleVisit(more: Partial<Visit> = {}): Visit {
  const classes = ["cat", "dog"].map((name) => ({ name, definition: "", examples: [], key: null }));
  return {
    project: "Pets",
    kind: "single",
    state: "running",
    currency: "EUR",
    voter: { code: "v1", kind: "crowd", state: "active" },
    instructions: "",
    consent: { version: null, text: "", url: null, agreed: true },
    questions: [{ name: "pet", text: "Which pet?", holds: null, classes }],
    rules: { batch: 3, lease_seconds: 60, amend_seconds: 600, maximum_votes: null, practice: 0 },
    progress: { votes: 0, practised: 0, practice_left: 0, earned: 0, price: 0.5, open: null },
    ticket: null,
    ...more,
  };
}

/** A pool of leases that accepts votes as the service does: each key once, each lease once. */
export class FakeService implements Service {
  readonly counted = new Map<string, VoteSent>();
  readonly amended: { vote: number; label: string | null }[] = [];
  readonly returned: number[] = [];
  calls: string[] = [];
  down = false;
  loseAnswers = false;
  practice = new Map<number, string>();
  gate: Promise<void> | null = null;
  private readonly numbers = new Map<string, number>();

  constructor(public leases: Lease[]) {}

  async next(n: number): Promise<Next> {
    await this.reach("next");
    return this.served(n);
  }

  async votes(votes: VoteSent[], next: number): Promise<VotesTaken> {
    await this.reach(`votes ${votes.map((vote) => vote.lease).join(" ")}`);
    const taken = votes.map((vote) => this.takeVote(vote));
    if (this.loseAnswers) throw new Problem(0, "lost");
    return { votes: taken, next: this.served(next) };
  }

  async amend(vote: number, { key, label }: Omit<VoteSent, "lease">): Promise<VoteTaken> {
    await this.reach(`amend ${vote}`);
    this.amended.push({ vote, label });
    return { key, outcome: "counted", vote: this.number(key), right: null };
  }

  async heartbeat(leases: number[]): Promise<number[]> {
    return leases.filter((lease) => this.leases.some((held) => held.lease === lease));
  }

  async giveBack(leases: number[]): Promise<void> {
    this.returned.push(...leases);
    this.leases = this.leases.filter((lease) => !leases.includes(lease.lease));
  }

  async renew(): Promise<boolean> {
    this.calls.push("renew");
    return true;
  }

  leave(leases: number[]): void {
    this.returned.push(...leases);
  }

  /** Returns the current labels by lease. */
  labels(): Record<number, string | null> {
    return Object.fromEntries([...this.counted.values()].map((vote) => [vote.lease, vote.label]));
  }

  private takeVote(sent: VoteSent): VoteTaken {
    const { key, lease } = sent;
    if (this.counted.has(key))
      return { key, outcome: "repeated", vote: this.number(key), right: this.practice.get(lease) ?? null };
    if (!this.leases.some((free) => free.lease === lease)) return { key, outcome: "late", vote: null, right: null };
    this.leases = this.leases.filter((free) => free.lease !== lease);
    this.counted.set(key, sent);
    return { key, outcome: "counted", vote: this.number(key), right: this.practice.get(lease) ?? null };
  }

  private served(n: number): Next {
    const leases = this.leases.slice(0, n);
    return { state: leases.length ? "work" : "wait", leases, retry_after: 1 };
  }

  private number(key: string): number {
    if (!this.numbers.has(key)) this.numbers.set(key, this.numbers.size + 1);
    return this.numbers.get(key) as number;
  }

  private async reach(call: string): Promise<void> {
    this.calls.push(call);
    await this.gate;
    if (this.down) throw new Problem(0, "not reached");
  }
}

/** Connects channels, as BroadcastChannel does between tabs. */
export class Wire {
  readonly ends: Channel[] = [];

  channel(): Channel {
    const end: Channel = {
      onmessage: null,
      close: () => {},
      postMessage: (data) => {
        for (const other of this.ends) if (other !== end) other.onmessage?.({ data } as MessageEvent);
      },
    };
    this.ends.push(end);
    return end;
  }
}

/** An environment whose clock is moved by the test. */
export class FakeEnvironment implements Environment {
  time = 1_000_000;
  private keys = 0;
  private due: { at: number; run: () => void }[] = [];

  constructor(
    readonly storage: Storage | null = null,
    readonly channel: Channel | null = null,
    private readonly name = "k",
  ) {}

  now = () => this.time;
  newKey = () => `${this.name}${++this.keys}`;
  alone = <T>(run: () => Promise<T>) => run();
  rest = (milliseconds: number) => new Promise<void>((done) => this.after(milliseconds, done));

  after(milliseconds: number, run: () => void): void {
    if (milliseconds === 0) run();
    else this.due.push({ at: this.time + milliseconds, run });
  }

  async pass(milliseconds: number): Promise<void> {
    this.time += milliseconds;
    const ready = this.due.filter((timer) => timer.at <= this.time);
    this.due = this.due.filter((timer) => timer.at > this.time);
    for (const timer of ready) timer.run();
    await settled();
  }
}

/** Waits until all pending promises are settled. */
export async function settled(): Promise<void> {
  for (let current = 0; current < 50; current++) await Promise.resolve();
}
