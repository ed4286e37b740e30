/** Calls to the service. The session is a cookie; changes carry a CSRF token. */

import type { components } from "./schema";

let csrf = "";
let voter = false;
let session = "";

/** Makes calls act for a voter, even if the browser is also signed in to an account. */
export function actAsVoter(yes: boolean): void {
  voter = yes;
}

/** Authenticates calls by a token where cookies are blocked: in a frame of another site. */
export function setToken(token: string): void {
  session = token;
}

/** Returns the headers of every call. */
export function ownHeaders(): Record<string, string> {
  if (session) return { Authorization: `Bearer ${session}` };
  return voter ? { "X-Voter": "1" } : {};
}

export function setCsrf(value: string): void {
  csrf = value;
}

/** An error reported by the service. status 0: the service was not reached. fields: messages by setting. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfter: number | null = null,
    readonly fields: Record<string, string> = {},
  ) {
    super(message);
  }

  /** Whether the same call may succeed later: the connection was lost, or the service is busy or starting. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json", ...ownHeaders() };
  if (method !== "GET") headers["X-CSRF-Token"] = csrf;
  const sent: RequestInit = { method, headers, credentials: "same-origin", signal: signal ?? null };
  if (body instanceof FormData) sent.body = body;
  else if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    sent.body = JSON.stringify(body);
  }
  const answer = await orUnreachable(fetch(path, sent));
  if (!answer.ok) throw await toProblem(answer);
  return (answer.status === 204 ? undefined : await orUnreachable(answer.json())) as T;
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return call<T>("GET", path, undefined, signal);
}

export function post<T>(path: string, body?: unknown): Promise<T> {
  return call<T>("POST", path, body);
}

/** Waits for a response; a lost connection becomes a Problem with status 0. */
async function orUnreachable<T>(coming: Promise<T>): Promise<T> {
  try {
    return await coming;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem(0, "The service cannot be reached. Check your connection and try again.");
  }
}

async function toProblem(answer: Response): Promise<Problem> {
  const wait = Number(answer.headers.get("Retry-After")) || null;
  try {
    const body = (await answer.json()) as Partial<components["schemas"]["Problem"]>;
    const fields = Object.entries(body.fields ?? {}).map(([path, message]) => [path, capitalize(message)]);
    return new Problem(answer.status, capitalize(body.error || answer.statusText), wait, Object.fromEntries(fields));
  } catch {
    return new Problem(
      answer.status,
      `The service answered with status ${answer.status}. Try again in a moment.`,
      wait,
    );
  }
}

/** Capitalizes the first word, unless it is the name of a setting. */
function capitalize(words: string): string {
  return /^[a-z]+ /.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words;
}
