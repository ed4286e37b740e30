/** The voter's desk: what a person does with what is in hand, and what the service says to it. */
import { Problem } from "../api/call";
import type { Lease, Next, Said, Visit, VoteTaken } from "../api/types";
import type { Room } from "./environment";
import { paidAmong, practised } from "./progress";
import type { Held, Queue } from "./queue";
import * as queues from "./queue";
import { Sender, voteOf } from "./sender";
import type { Service } from "./service";
import { Shelf } from "./state";
import { median } from "./timing";
import { firstView, type View } from "./view";

const LATEST = 30; // answers by which the time of one is told
const [SOONEST, LATEST_LOOK] = [1, 15]; // seconds until one asks for work again
const PATIENCE = 2000; // milliseconds that an item waits for its next criterion
const ORPHANS = 300; // milliseconds in which other tabs say that they are there
const WENT = "This item is no longer yours; here is the next.";

export class Desk {
  private readonly shelf: Shelf;
  private readonly sender: Sender;
  private readonly times: number[] = [];
  private looks = 0;
  private looksAgain = false;
  private finished = false;
  private earlier: string[] = []; // answers of pages before this visit

  constructor(
    readonly visit: Visit,
    private readonly service: Service,
    private readonly room: Room,
    name: string,
  ) {
    this.shelf = new Shelf(firstView(visit), room, name);
    this.sender = new Sender(service, this.asSent(), visit.rules.batch, room);
    this.shelf.onNews = () => {
      this.askIfEmpty();
      void this.sender.go();
    };
  }

  get view(): View {
    return this.shelf.view;
  }

  set onChange(run: () => void) {
    this.shelf.onChange = run;
  }

  /** Begin: what an earlier page left behind goes out first. */
  start(): void {
    const left = this.shelf.skipAnswered();
    this.room.after(left ? ORPHANS : 0, () => {
      this.earlier = this.shelf.adopt();
      this.askAgain();
    });
  }

  /** Answer an item in hand, and go on. */
  answer(lease: Lease, label: string | null, said: Said, seconds: number): void {
    const { queue } = this.shelf;
    const again = queue.hand.find((one) => one.lease === lease)?.again ?? null;
    const hold = again ? undefined : this.holds(lease, label);
    const made = { key: this.room.newKey(), label, said, seconds, at: this.room.now(), hold };
    if (seconds > 0) this.times.push(seconds);
    const middle = median(this.times.slice(-LATEST));
    this.shelf.change(queues.answer(queue, lease.lease, made), { message: "", seconds: middle });
    this.shelf.tabs.answered([lease.lease]);
    if (this.excludes(lease, label)) this.giveUp(queues.besides(this.shelf.queue, lease.item.id));
    if (hold === "turn") this.room.after(PATIENCE, () => this.letGo(made.key));
    this.askIfEmpty(); // the same answer as before sends nothing
    void this.sender.go();
  }

  /** Why the last answer cannot be taken back; null where it can. */
  get noUndo(): string | null {
    return this.noUndoOf(this.shelf.queue);
  }

  private noUndoOf(queue: Queue): string | null {
    return queues.noUndo(queue, this.room.now(), this.visit.rules.amend_seconds);
  }

  undo(): void {
    const { queue } = this.shelf;
    const why = this.noUndo;
    if (why === null) this.shelf.change(queues.undo(queue), { message: "The last item is back: answer it again." });
    else this.shelf.change(queue, { message: why || "There is nothing to take back." });
  }

  /** What others said of an audited task was shown: its answer stays as it is. */
  reveal(task: number): void {
    const { queue } = this.shelf;
    const revealed = queues.reveal(queue, task);
    const isBack = revealed.hand.length < queue.hand.length;
    this.shelf.change(revealed, isBack ? { message: this.noUndoOf(revealed) ?? "" } : {});
    this.askIfEmpty();
  }

  /** On from the feedback of practice. */
  goOn(): void {
    this.shelf.change(queues.letGo(this.shelf.queue));
    this.askIfEmpty();
  }

  askAgain(): void {
    void this.sender.go(true);
  }

  /** The page is in view again: what was in hand may have run out meanwhile. */
  back(): void {
    if (this.isAtWork) this.askAgain();
    void this.heartbeat();
  }

  /** Say that the voter is still there. */
  async heartbeat(): Promise<void> {
    const mine = this.shelf.leased;
    if (!mine.length) return;
    try {
      const kept = await this.service.heartbeat(mine);
      this.shelf.prolong(kept, this.visit.rules.lease_seconds, true);
      const gone = mine.filter((one) => !kept.includes(one) && this.shelf.leased.includes(one));
      this.shelf.lose(gone, WENT);
      this.connect(true);
      this.askIfEmpty();
    } catch (error) {
      this.connect(!(error instanceof Problem && error.passes)); // the next one, or the next answer, will do
    }
  }

  /** No more work for now: what is in hand goes back, and what is on its way here. */
  finish(): void {
    this.finished = true;
    this.putBack(this.shelf.leased);
    this.shelf.change({ ...this.shelf.queue, hand: [], held: null }, { phase: "done" });
  }

  /** The page closes. Another tab may still work on the same leases. */
  leave(): void {
    const votes = this.shelf.queue.outbox.filter((one) => one.amends === null).map(voteOf);
    this.service.leave(this.shelf.tabs.alone ? this.shelf.leased : [], votes);
    this.shelf.tabs.leave();
  }

  close(): void {
    this.sender.stop();
    this.shelf.tabs.close();
  }

  private asSent() {
    return {
      pending: () => this.shelf.queue.outbox,
      sending: (keys: string[]) => this.shelf.change(queues.sending(this.shelf.queue, keys)),
      settled: (results: VoteTaken[], next: Next | null) => this.settle(results, next),
      refused: (problem: Problem) => this.shelf.change(this.shelf.queue, { message: problem.message }),
      arrived: (next: Next) => this.arrive(next, null),
      connected: (yes: boolean) => this.connect(yes),
      ended: (problem: Problem) => this.shelf.change(this.shelf.queue, { phase: "ended", problem }),
    };
  }

  private connect(connected: boolean): void {
    if (connected === this.view.connected) return;
    const { queue } = this.shelf;
    const waits = queue.held?.why === "turn" && !connected;
    this.shelf.change(waits ? queues.letGo(queue) : queue, { connected });
  }

  private settle(results: VoteTaken[], next: Next | null): void {
    const { queue } = this.shelf;
    const { held } = queue;
    const turns = held?.why === "turn" && results.some((one) => one.key === held.key);
    this.shelf.change(queues.settled(queue, results), this.count(results, queue));
    if (next) this.arrive(next, turns ? held.lease.item.id : null);
    else this.askIfEmpty();
  }

  private count(results: VoteTaken[], { outbox, held }: Queue): Partial<View> {
    const known = (one: VoteTaken) => one.outcome === "repeated" && this.earlier.includes(one.key); // to the visit
    const votes = paidAmong(
      results.filter((one) => !known(one)),
      outbox,
    );
    const earned = votes * this.visit.progress.price;
    this.shelf.tabs.counted(votes, earned);
    const practice = practised(this.view.practice, held, results);
    return { practice, votes: this.view.votes + votes, earned: this.view.earned + earned };
  }

  private arrive(next: Next, first: number | null): void {
    if (this.finished) {
      this.putBack(next.leases.map((one) => one.lease));
      return;
    }
    const begins = this.view.phase === "loading";
    const wasShown = this.shelf.queue.held ? null : this.shelf.shown;
    this.shelf.prolong(
      next.leases.map((one) => one.lease),
      this.visit.rules.lease_seconds,
    );
    const queue = queues.take(this.shelf.queue, next.leases, first);
    const went = wasShown !== null && !queue.hand.some((one) => one.lease.lease === wasShown.lease);
    const phase = next.state;
    this.shelf.change(queue, went ? { phase, message: WENT } : { phase });
    if (begins) void this.heartbeat();
    if (queue.hand.length || queue.outbox.length || queue.held) this.looks = 0;
    else if (phase === "work" || phase === "wait") this.lookAgain(next.retry_after);
  }

  /** Nothing to do now: ask again by itself, ever more slowly. */
  private lookAgain(seconds: number): void {
    this.shelf.change(this.shelf.queue, { phase: "wait", message: "" });
    if (this.looksAgain) return;
    this.looksAgain = true;
    const pause = Math.min(LATEST_LOOK, Math.max(SOONEST, seconds) * 1.5 ** this.looks++);
    this.room.after(pause * 1000, () => {
      this.looksAgain = false;
      if (this.view.phase === "wait") this.askAgain();
    });
  }

  private get isAtWork(): boolean {
    return this.view.phase === "work" || this.view.phase === "wait";
  }

  private askIfEmpty(): void {
    const { hand, outbox, held } = this.shelf.queue;
    if (!hand.length && !outbox.length && !held && this.isAtWork) this.askAgain();
  }

  /** Another tab may work on the same leases. */
  private putBack(leases: number[]): void {
    if (this.shelf.tabs.alone) this.giveUp(leases);
  }

  private giveUp(leases: number[]): void {
    if (!leases.length) return;
    this.shelf.change(queues.elsewhere(this.shelf.queue, leases));
    this.service.giveBack(leases).catch(() => {}); // they run out by themselves
  }

  private letGo(key: string): void {
    if (this.shelf.queue.held?.key === key) this.shelf.change(queues.letGo(this.shelf.queue));
  }

  /** Why an item stays in view after its answer. */
  private holds(lease: Lease, label: string | null): Held["why"] | undefined {
    if (lease.practice) return "practice";
    const more = queues.besides(this.shelf.queue, lease.item.id).length > 1; // the next criterion is here already
    return this.opensTurn(lease, label) && !more ? "turn" : undefined;
  }

  private opensTurn(lease: Lease, label: string | null): boolean {
    const question = this.visit.questions.find((one) => one.name === lease.question);
    return this.visit.kind === "screening" && label !== null && question?.holds === label;
  }

  private excludes(lease: Lease, label: string | null): boolean {
    return this.visit.kind === "screening" && label !== null && !this.opensTurn(lease, label);
  }
}
