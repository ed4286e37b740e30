import { useState } from "preact/hooks";

export interface Sending {
  /** Whether the answer is still awaited. */
  busy: boolean;
  /** Why it was refused, in a sentence. */
  problem: string | undefined;
  send: <T>(answer: Promise<T>, then: (result: T) => void) => void;
}

/** What a person sends by a button: whether it is under way, and why it failed. */
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
