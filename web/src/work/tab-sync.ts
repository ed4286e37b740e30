/** The other tabs of the same voter: who is there, and what they have answered. */

export type Word =
  | { kind: "hello" | "here" | "bye"; tab: string }
  | { kind: "answered"; tab: string; leases: number[] }
  | { kind: "counted"; tab: string; votes: number; earned: number };

/** What a BroadcastChannel is, as far as it is used. */
export interface Channel {
  postMessage(word: unknown): void;
  onmessage: ((event: MessageEvent) => unknown) | null;
  close(): void;
}

export class Tabs {
  private readonly others = new Set<string>();

  constructor(
    readonly own: string,
    private readonly channel: Channel | null,
    private readonly heard: (word: Word) => void,
  ) {
    if (channel) channel.onmessage = (event) => this.hear(event.data as Word);
    this.say({ kind: "hello", tab: own });
  }

  get alone(): boolean {
    return this.others.size === 0;
  }

  isThere(tab: string): boolean {
    return tab === this.own || this.others.has(tab);
  }

  answered(leases: number[]): void {
    if (leases.length) this.say({ kind: "answered", tab: this.own, leases });
  }

  counted(votes: number, earned: number): void {
    if (votes) this.say({ kind: "counted", tab: this.own, votes, earned });
  }

  leave(): void {
    this.say({ kind: "bye", tab: this.own });
  }

  close(): void {
    this.leave();
    this.channel?.close();
  }

  private hear(word: Word): void {
    if (word.kind === "bye") this.others.delete(word.tab);
    else this.others.add(word.tab);
    if (word.kind === "hello") this.say({ kind: "here", tab: this.own });
    this.heard(word);
  }

  private say(word: Word): void {
    this.channel?.postMessage(word);
  }
}

export function channelOrNone(name: string): Channel | null {
  return typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(name);
}
