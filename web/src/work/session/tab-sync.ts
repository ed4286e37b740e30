/** Messages between the tabs of a voter: which tabs are open, and what they have answered. */

export type TabMessage =
  | { kind: "hello" | "here" | "bye"; tab: string }
  | { kind: "answered"; tab: string; leases: number[] }
  | { kind: "counted"; tab: string; votes: number; earned: number };

/** The part of BroadcastChannel that is used. */
export interface Channel {
  postMessage(word: unknown): void;
  onmessage: ((event: MessageEvent) => unknown) | null;
  close(): void;
}

export class TabSync {
  private readonly others = new Set<string>();

  constructor(
    readonly own: string,
    private readonly channel: Channel | null,
    private readonly onMessage: (word: TabMessage) => void,
  ) {
    if (channel) channel.onmessage = (event) => this.receive(event.data as TabMessage);
    this.post({ kind: "hello", tab: own });
  }

  get alone(): boolean {
    return this.others.size === 0;
  }

  isOpen(tab: string): boolean {
    return tab === this.own || this.others.has(tab);
  }

  answered(leases: number[]): void {
    if (leases.length) this.post({ kind: "answered", tab: this.own, leases });
  }

  counted(votes: number, earned: number): void {
    if (votes) this.post({ kind: "counted", tab: this.own, votes, earned });
  }

  leave(): void {
    this.post({ kind: "bye", tab: this.own });
  }

  close(): void {
    this.leave();
    this.channel?.close();
  }

  private receive(word: TabMessage): void {
    if (word.kind === "bye") this.others.delete(word.tab);
    else this.others.add(word.tab);
    if (word.kind === "hello") this.post({ kind: "here", tab: this.own });
    this.onMessage(word);
  }

  private post(word: TabMessage): void {
    this.channel?.postMessage(word);
  }
}

export function openChannel(name: string): Channel | null {
  return typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(name);
}
