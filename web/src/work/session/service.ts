/** The voter's calls to the service. */
import { actAsVoter, call, get, ownHeaders, Problem, post, setCsrf, setToken } from "../../api/call";
import type {
  Completion,
  Next,
  Session,
  TaskFeedback,
  Visit,
  VoteSent,
  VotesTaken,
  VoteTaken,
  WorkerSession,
} from "../../api/types";
import { type Arrival, isFramed } from "./arrival";

const CALL_TIMEOUT_MS = 15_000; // after which a call has failed

/** What a voter session needs from the service; tests replace it. */
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

  /** Returns the URL of the item of a task; without a cookie, it contains a ticket. */
  base(task: number): string {
    return this.ticket && isFramed() ? `/api/seen/${this.ticket}/${task}` : this.path(`tasks/${task}`);
  }

  /** Opens a session by a link, or uses the session of a panel or an account. */
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

  /** Returns the session of this project; a voter of another project may have an account that votes here. */
  private async findSession(): Promise<Session> {
    const session = await get<Session>("/api/session");
    if (session.project_id === null || session.project_id === this.project) return session;
    actAsVoter(false);
    return get<Session>("/api/session");
  }

  /** Adopts the session of another tab if it belongs to the same voter. */
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

  othersVotes(task: number): Promise<TaskFeedback> {
    return get<TaskFeedback>(this.path(`tasks/${task}/told`));
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

  /** Sends the last votes and returns leases when the page closes; the browser sends them afterwards. */
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
