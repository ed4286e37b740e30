/** The voter's calls of the service. */
import { actAsVoter, call, get, ownHeaders, Problem, post, setCsrf, setToken } from "../api/call";
import type {
  Completion,
  Next,
  Session,
  Told,
  Visit,
  VoteSent,
  VotesTaken,
  VoteTaken,
  WorkerSession,
} from "../api/types";
import { type Arrival, isFramed } from "./arrival";

const CALL_TIMEOUT_MS = 15_000; // milliseconds: a call that takes longer is lost

/** What a desk needs of the service; tests have one of their own. */
export interface Service {
  next(n: number): Promise<Next>;
  votes(votes: VoteSent[], next: number): Promise<VotesTaken>;
  amend(vote: number, sent: Omit<VoteSent, "lease" | "seconds">): Promise<VoteTaken>;
  heartbeat(leases: number[]): Promise<number[]>;
  giveBack(leases: number[]): Promise<void>;
  renew(): Promise<boolean>;
  leave(leases: number[], votes: VoteSent[]): void;
}

export class WorkService implements Service {
  private csrf = "";
  private name = "";
  private ticket: string | null = null;

  constructor(
    readonly project: number,
    readonly arrival: Arrival,
  ) {}

  /** Where the item of a task is fetched; without a cookie, by an address that says who may see it. */
  base(task: number): string {
    return this.ticket && isFramed() ? `/api/seen/${this.ticket}/${task}` : this.path(`tasks/${task}`);
  }

  /** Come in by a link, or by the session that a panel's door or an account has made. */
  async open(): Promise<void> {
    actAsVoter(true);
    let token = this.arrival.session;
    if (this.arrival.link) {
      const opened = await post<WorkerSession>("/api/work/session", { link: this.arrival.link });
      this.rememberCsrf(opened.csrf);
      token = opened.token;
    }
    if (isFramed()) setToken(token);
    const session = await this.findSession();
    this.rememberCsrf(session.csrf);
    this.name = session.name;
  }

  /** The voter of this project; a browser that is a voter elsewhere may have an account that votes here. */
  private async findSession(): Promise<Session> {
    const session = await get<Session>("/api/session");
    if (session.project_id === null || session.project_id === this.project) return session;
    actAsVoter(false);
    return get<Session>("/api/session");
  }

  /** Another tab may have opened the link again: go on by its session, if it is that of the same voter. */
  async renew(): Promise<boolean> {
    const session = await get<Session>("/api/session");
    if (session.name !== this.name)
      throw new Problem(409, "Another person signed in with this browser. Open your own link again.");
    const changed = session.csrf !== this.csrf;
    this.rememberCsrf(session.csrf);
    return changed;
  }

  async visit(): Promise<Visit> {
    const visit = await get<Visit>(this.path("visit"));
    this.ticket = visit.ticket;
    return visit;
  }

  agree(version: string): Promise<void> {
    return post(this.path("consent"), { version });
  }

  completion(): Promise<Completion> {
    return get<Completion>(this.path("completion"));
  }

  othersVotes(task: number): Promise<Told> {
    return get<Told>(this.path(`tasks/${task}/told`));
  }

  next(n: number): Promise<Next> {
    return this.send("next", { n });
  }

  votes(votes: VoteSent[], next: number): Promise<VotesTaken> {
    return this.send("votes", { votes, next });
  }

  amend(vote: number, sent: Omit<VoteSent, "lease" | "seconds">): Promise<VoteTaken> {
    return this.send(`votes/${vote}/amend`, sent);
  }

  async heartbeat(leases: number[]): Promise<number[]> {
    return (await this.send<{ leases: number[] }>("leases/heartbeat", { leases })).leases;
  }

  giveBack(leases: number[]): Promise<void> {
    return this.send("leases/return", { leases });
  }

  /** The last words of a page that closes: the browser sends them after its end. */
  leave(leases: number[], votes: VoteSent[]): void {
    if (votes.length) this.sendOnClose("votes", { votes, next: 0 });
    if (leases.length) this.sendOnClose("leases/return", { leases });
  }

  private send<T>(name: string, body: unknown): Promise<T> {
    return call<T>("POST", this.path(name), body, AbortSignal.timeout(CALL_TIMEOUT_MS));
  }

  private sendOnClose(name: string, body: unknown): void {
    const headers = { "Content-Type": "application/json", "X-CSRF-Token": this.csrf, ...ownHeaders() };
    const sent = { method: "POST", keepalive: true, credentials: "same-origin" as const, headers };
    fetch(this.path(name), { ...sent, body: JSON.stringify(body) }).catch(() => {});
  }

  private path(name: string): string {
    return `/api/projects/${this.project}/${name}`;
  }

  private rememberCsrf(csrf: string): void {
    this.csrf = csrf;
    setCsrf(csrf);
  }
}
