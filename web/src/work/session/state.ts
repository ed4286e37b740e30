/** The state of a voter session. Unsent answers are mirrored in the browser, and other tabs are notified of answers. */
import type { Lease } from "../../api/types";
import type { Environment } from "./environment";
import { Outbox } from "./outbox";
import type { Outgoing, Queue } from "./queue";
import * as queues from "./queue";
import { type TabMessage, TabSync } from "./tab-sync";
import type { View } from "./view";

export class SessionState {
  onChange: () => void = () => {};
  /** Called when another tab has answered items or left unsent answers. */
  onOtherTab: () => void = () => {};
  readonly tabs: TabSync;
  private readonly outbox: Outbox;
  private readonly until = new Map<number, number>();

  constructor(
    public view: View,
    private readonly environment: Environment,
    name: string,
  ) {
    this.tabs = new TabSync(environment.newKey(), environment.channel, (word) => this.receive(word));
    this.outbox = new Outbox(environment.storage, `quorate/${name}/`, this.tabs.own);
  }

  get queue(): Queue {
    return this.view.queue;
  }

  /** The shown item, unless its answer was undone. */
  get shown(): Lease | null {
    return this.queue.hand[0]?.lease ?? null;
  }

  /** The leases of this voter that are not answered. */
  get leased(): number[] {
    return this.queue.hand.filter((entry) => entry.again === null).map((entry) => entry.lease.lease);
  }

  change(queue: Queue, more: Partial<View> = {}): void {
    const before = this.queue.outbox;
    if (queue.outbox !== before) this.mirror(before, queue.outbox);
    const first = queue.hand[0];
    const until = first && first.again === null ? (this.until.get(first.lease.lease) ?? null) : null;
    this.view = { ...this.view, ...more, queue, until };
    this.onChange();
  }

  /** Sets the expiry of leases; existing ones are kept unless `extend`. */
  prolong(leases: number[], seconds: number, extend = false): void {
    for (const lease of leases)
      if (extend || !this.until.has(lease)) this.until.set(lease, this.environment.now() + seconds * 1000);
  }

  /** Removes leases that were answered or reassigned; the message is shown if one of them was in view. */
  lose(leases: number[], message: string): void {
    const isShown = this.shown !== null && leases.includes(this.shown.lease);
    this.change(queues.removeLeases(this.queue, leases), isShown ? { message } : {});
  }

  /** Leaves out items that earlier pages have answered. */
  skipAnswered(): boolean {
    const leases = this.outbox.all().map((stored) => stored.lease);
    this.change(queues.removeLeases(this.queue, leases));
    return leases.length > 0;
  }

  /** Adopts unsent answers of closed pages; returns their keys. */
  adopt(): string[] {
    const orphans = this.outbox.all().filter((stored) => !this.tabs.isOpen(stored.tab));
    const adopted = orphans.map(({ tab: _, ...out }) => out);
    for (const outgoing of adopted) this.outbox.keep(outgoing);
    this.change(queues.adopt(this.queue, adopted));
    return adopted.map((outgoing) => outgoing.key);
  }

  private receive(word: TabMessage): void {
    if (word.kind === "answered") this.lose(word.leases, "Answered in another tab.");
    else if (word.kind === "counted")
      this.change(this.queue, { votes: this.view.votes + word.votes, earned: this.view.earned + word.earned });
    else if (word.kind === "bye") this.adopt();
    else return;
    this.onOtherTab();
  }

  private mirror(before: Outgoing[], after: Outgoing[]): void {
    const kept = new Set(after.map((outgoing) => outgoing.key));
    for (const outgoing of before) if (!kept.has(outgoing.key)) this.outbox.drop(outgoing.key);
    for (const outgoing of after) if (!before.includes(outgoing)) this.outbox.keep(outgoing);
  }
}
