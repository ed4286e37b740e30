/** Where the view is kept: what is not sent yet is kept by the browser too, and other tabs hear what was answered. */
import type { Lease } from "../api/types";
import type { Room } from "./environment";
import { Outbox } from "./outbox";
import type { Outgoing, Queue } from "./queue";
import * as queues from "./queue";
import { Tabs, type Word } from "./tab-sync";
import type { View } from "./view";

export class Shelf {
  onChange: () => void = () => {};
  /** Another tab has answered something, or left something behind. */
  onNews: () => void = () => {};
  readonly tabs: Tabs;
  private readonly outbox: Outbox;
  private readonly until = new Map<number, number>();

  constructor(
    public view: View,
    private readonly room: Room,
    name: string,
  ) {
    this.tabs = new Tabs(room.newKey(), room.channel, (word) => this.hear(word));
    this.outbox = new Outbox(room.storage, `quorate/${name}/`, this.tabs.own);
  }

  get queue(): Queue {
    return this.view.queue;
  }

  /** The item in view, unless it is one that was taken back. */
  get shown(): Lease | null {
    return this.queue.hand[0]?.lease ?? null;
  }

  /** What is leased to this voter and not answered. */
  get leased(): number[] {
    return this.queue.hand.filter((one) => one.again === null).map((one) => one.lease.lease);
  }

  change(queue: Queue, more: Partial<View> = {}): void {
    const before = this.queue.outbox;
    if (queue.outbox !== before) this.mirror(before, queue.outbox);
    const first = queue.hand[0];
    const until = first && first.again === null ? (this.until.get(first.lease.lease) ?? null) : null;
    this.view = { ...this.view, ...more, queue, until };
    this.onChange();
  }

  /** These are the voter's from now on for so many seconds; those that are known already may be for less. */
  prolong(leases: number[], seconds: number, known = false): void {
    for (const one of leases) if (known || !this.until.has(one)) this.until.set(one, this.room.now() + seconds * 1000);
  }

  /** These are answered, or gone to somebody else; message: where one of them is in view. */
  lose(leases: number[], message: string): void {
    const isShown = this.shown !== null && leases.includes(this.shown.lease);
    this.change(queues.elsewhere(this.queue, leases), isShown ? { message } : {});
  }

  /** What earlier pages have answered is not asked again. */
  skipAnswered(): boolean {
    const left = this.outbox.all().map((one) => one.lease);
    this.change(queues.elsewhere(this.queue, left));
    return left.length > 0;
  }

  /** Take over what pages that are closed have not sent, or not heard of; the keys of it. */
  adopt(): string[] {
    const orphans = this.outbox.all().filter((one) => !this.tabs.isThere(one.tab));
    const left = orphans.map(({ tab: _, ...out }) => out);
    for (const one of left) this.outbox.keep(one);
    this.change(queues.adopt(this.queue, left));
    return left.map((one) => one.key);
  }

  private hear(word: Word): void {
    if (word.kind === "answered") this.lose(word.leases, "Answered in your other tab.");
    else if (word.kind === "counted")
      this.change(this.queue, { votes: this.view.votes + word.votes, earned: this.view.earned + word.earned });
    else if (word.kind === "bye") this.adopt();
    else return;
    this.onNews();
  }

  private mirror(before: Outgoing[], after: Outgoing[]): void {
    const kept = new Set(after.map((one) => one.key));
    for (const one of before) if (!kept.has(one.key)) this.outbox.drop(one.key);
    for (const one of after) if (!before.includes(one)) this.outbox.keep(one);
  }
}
