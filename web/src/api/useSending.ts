import { useState } from "preact/hooks";

export interface Sending {
  /** Whether a response is pending. */
  busy: boolean;
  /** The error message of the last call. */
  problem: string | undefined;
  send: <T>(answer: Promise<T>, then: (result: T) => void) => void;
}

/** Sends requests of a button, and keeps whether one is pending and why the last one failed. */
export function useSending(): Sending {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const send: Sending["send"] = (answer, then) => {
    setBusy(true);
    setProblem(undefined);
    answer.then(then, (error: Error) => setProblem(error.message)).finally(() => setBusy(false));
  };
  return { busy, problem, send };
}
