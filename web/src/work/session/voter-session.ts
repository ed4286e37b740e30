/** The session of a voter: answers, undo, and the exchange with the service. */
import { Problem } from "../../api/call";
import type { Lease, Next, Visit, VoterResponse, VoteTaken } from "../../api/types";
import type { Environment } from "./environment";
import { countPaid, practiceAfter } from "./progress";
import type { Held, Queue } from "./queue";
import * as queues from "./queue";
import { Sender, toVote } from "./sender";
import type { Service } from "./service";
import { SessionState } from "./state";
import { median } from "./timing";
import { initialView, type View } from "./view";

const MEDIAN_WINDOW = 30; // answers, for the median time
const [MIN_RETRY, MAX_RETRY] = [1, 15]; // seconds between requests for items
const MAX_HOLD_MS = 2000; // an item waits for its next criterion
const TAB_REPLY_MS = 300; // in which other tabs reply
const LEASE_LOST = "This item was reassigned. Here is the next one.";

export class VoterSession {
  private readonly state: SessionState;
  private readonly sender: Sender;
  private readonly times: number[] = [];
  private retries = 0;
  private retryScheduled = false;
  private finished = false;
  private earlier: string[] = []; // keys of answers of earlier pages

  constructor(
    readonly visit: Visit,
    private readonly service: Service,
    private readonly environment: Environment,
    name: string,
  ) {
    this.state = new SessionState(initialView(visit), environment, name);
    this.sender = new Sender(service, this.senderEvents(), visit.rules.batch, environment);
    this.state.onOtherTab = () => {
      this.askIfEmpty();
      void this.sender.go();
    };
  }

  get view(): View {
    return this.state.view;
  }

  set onChange(run: () => void) {
    this.state.onChange = run;
  }

  /** Starts the session; unsent answers of an earlier page are sent first. */
  start(): void {
    const hasUnsent = this.state.skipAnswered();
    this.environment.after(hasUnsent ? TAB_REPLY_MS : 0, () => {
      this.earlier = this.state.adopt();
      this.askAgain();
    });
  }

  /** Answers a leased item and shows the next one. */
  answer(lease: Lease, label: string | null, kind: VoterResponse, seconds: number): void {
    const { queue } = this.state;
    const again = queue.hand.find((entry) => entry.lease === lease)?.again ?? null;
    const hold = again ? undefined : this.holdReason(lease, label);
    const newAnswer = { key: this.environment.newKey(), label, said: kind, seconds, at: this.environment.now(), hold };
    if (seconds > 0) this.times.push(seconds);
    const medianSeconds = median(this.times.slice(-MEDIAN_WINDOW));
    this.state.change(queues.answer(queue, lease.lease, newAnswer), { message: "", seconds: medianSeconds });
    this.state.tabs.answered([lease.lease]);
    if (this.excludes(lease, label)) this.returnLeases(queues.otherLeases(this.state.queue, lease.item.id));
    if (hold === "turn") this.environment.after(MAX_HOLD_MS, () => this.releaseHeld(newAnswer.key));
    this.askIfEmpty(); // an unchanged answer sends nothing
    void this.sender.go();
  }

  /** Why the last answer cannot be undone; null if it can. */
  get noUndo(): string | null {
    return this.noUndoOf(this.state.queue);
  }

  private noUndoOf(queue: Queue): string | null {
    return queues.noUndo(queue, this.environment.now(), this.visit.rules.amend_seconds);
  }

  undo(): void {
    const { queue } = this.state;
    const why = this.noUndo;
    if (why === null) this.state.change(queues.undo(queue), { message: "Previous item reopened: change your answer." });
    else this.state.change(queue, { message: why || "Nothing to undo." });
  }

  /** Makes the answer of an audited task final after the other votes were shown. */
  reveal(task: number): void {
    const { queue } = this.state;
    const revealed = queues.reveal(queue, task);
    const isBack = revealed.hand.length < queue.hand.length;
    this.state.change(revealed, isBack ? { message: this.noUndoOf(revealed) ?? "" } : {});
    this.askIfEmpty();
  }

  /** Continues after the feedback of a practice item. */
  continueAfterFeedback(): void {
    this.state.change(queues.releaseHeld(this.state.queue));
    this.askIfEmpty();
  }

  askAgain(): void {
    void this.sender.go(true);
  }

  /** Called when the page is visible again: leases may have expired. */
  back(): void {
    if (this.isAtWork) this.askAgain();
    void this.heartbeat();
  }

  /** Extends the leases while the voter is active. */
  async heartbeat(): Promise<void> {
    const mine = this.state.leased;
    if (!mine.length) return;
    try {
      const kept = await this.service.heartbeat(mine);
      this.state.prolong(kept, this.visit.rules.lease_seconds, true);
      const gone = mine.filter((lease) => !kept.includes(lease) && this.state.leased.includes(lease));
      this.state.lose(gone, LEASE_LOST);
      this.connect(true);
      this.askIfEmpty();
    } catch (error) {
      this.connect(!(error instanceof Problem && error.isTemporary)); // the next call tries again
    }
  }

  /** Ends the work for now: leased items and items that arrive later are returned. */
  finish(): void {
    this.finished = true;
    this.returnIfAlone(this.state.leased);
    this.state.change({ ...this.state.queue, hand: [], held: null }, { phase: "done" });
  }

  /** Called when the page closes. Another tab may still use the same leases. */
  leave(): void {
    const votes = this.state.queue.outbox.filter((outgoing) => outgoing.amends === null).map(toVote);
    this.service.leave(this.state.tabs.alone ? this.state.leased : [], votes);
    this.state.tabs.leave();
  }

  close(): void {
    this.sender.stop();
    this.state.tabs.close();
  }

  private senderEvents() {
    return {
      pending: () => this.state.queue.outbox,
      sending: (keys: string[]) => this.state.change(queues.markSending(this.state.queue, keys)),
      settled: (results: VoteTaken[], next: Next | null) => this.settle(results, next),
      refused: (problem: Problem) => this.state.change(this.state.queue, { message: problem.message }),
      arrived: (next: Next) => this.arrive(next, null),
      connected: (yes: boolean) => this.connect(yes),
      ended: (problem: Problem) => this.state.change(this.state.queue, { phase: "ended", problem }),
    };
  }

  private connect(connected: boolean): void {
    if (connected === this.view.connected) return;
    const { queue } = this.state;
    const waits = queue.held?.why === "turn" && !connected;
    this.state.change(waits ? queues.releaseHeld(queue) : queue, { connected });
  }

  private settle(results: VoteTaken[], next: Next | null): void {
    const { queue } = this.state;
    const { held } = queue;
    const isHeld = held?.why === "turn" && results.some((result) => result.key === held.key);
    this.state.change(queues.settle(queue, results), this.count(results, queue));
    if (next) this.arrive(next, isHeld ? held.lease.item.id : null);
    else this.askIfEmpty();
  }

  private count(results: VoteTaken[], { outbox, held }: Queue): Partial<View> {
    const isKnown = (result: VoteTaken) => result.outcome === "repeated" && this.earlier.includes(result.key); // counted in the visit
    const votes = countPaid(
      results.filter((result) => !isKnown(result)),
      outbox,
    );
    const earned = votes * this.visit.progress.price;
    this.state.tabs.counted(votes, earned);
    const practice = practiceAfter(this.view.practice, held, results);
    return { practice, votes: this.view.votes + votes, earned: this.view.earned + earned };
  }

  private arrive(next: Next, first: number | null): void {
    if (this.finished) {
      this.returnIfAlone(next.leases.map((lease) => lease.lease));
      return;
    }
    const isFirst = this.view.phase === "loading";
    const wasShown = this.state.queue.held ? null : this.state.shown;
    this.state.prolong(
      next.leases.map((lease) => lease.lease),
      this.visit.rules.lease_seconds,
    );
    const queue = queues.take(this.state.queue, next.leases, first);
    const lostShown = wasShown !== null && !queue.hand.some((entry) => entry.lease.lease === wasShown.lease);
    const phase = next.state;
    this.state.change(queue, lostShown ? { phase, message: LEASE_LOST } : { phase });
    if (isFirst) void this.heartbeat();
    if (queue.hand.length || queue.outbox.length || queue.held) this.retries = 0;
    else if (phase === "work" || phase === "wait") this.scheduleRetry(next.retry_after);
  }

  /** Asks for items again later, at growing intervals. */
  private scheduleRetry(seconds: number): void {
    this.state.change(this.state.queue, { phase: "wait", message: "" });
    if (this.retryScheduled) return;
    this.retryScheduled = true;
    const pause = Math.min(MAX_RETRY, Math.max(MIN_RETRY, seconds) * 1.5 ** this.retries++);
    this.environment.after(pause * 1000, () => {
      this.retryScheduled = false;
      if (this.view.phase === "wait") this.askAgain();
    });
  }

  private get isAtWork(): boolean {
    return this.view.phase === "work" || this.view.phase === "wait";
  }

  private askIfEmpty(): void {
    const { hand, outbox, held } = this.state.queue;
    if (!hand.length && !outbox.length && !held && this.isAtWork) this.askAgain();
  }

  /** Returns leases unless another tab may use them. */
  private returnIfAlone(leases: number[]): void {
    if (this.state.tabs.alone) this.returnLeases(leases);
  }

  private returnLeases(leases: number[]): void {
    if (!leases.length) return;
    this.state.change(queues.removeLeases(this.state.queue, leases));
    this.service.giveBack(leases).catch(() => {}); // they expire anyway
  }

  private releaseHeld(key: string): void {
    if (this.state.queue.held?.key === key) this.state.change(queues.releaseHeld(this.state.queue));
  }

  /** Returns why an item stays in view after its answer. */
  private holdReason(lease: Lease, label: string | null): Held["why"] | undefined {
    if (lease.practice) return "practice";
    const more = queues.otherLeases(this.state.queue, lease.item.id).length > 1; // the next criterion is already loaded
    return this.opensTurn(lease, label) && !more ? "turn" : undefined;
  }

  private opensTurn(lease: Lease, label: string | null): boolean {
    const question = this.visit.questions.find((question) => question.name === lease.question);
    return this.visit.kind === "screening" && label !== null && question?.holds === label;
  }

  private excludes(lease: Lease, label: string | null): boolean {
    return this.visit.kind === "screening" && label !== null && !this.opensTurn(lease, label);
  }
}
