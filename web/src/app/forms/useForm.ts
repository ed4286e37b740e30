import { useState } from "preact/hooks";
import { useSending } from "../../api";

interface InputEvent {
  currentTarget: { value: string };
}

/** Keeps the values of a small form and sends them when it is submitted. */
export function useForm<T extends object>(initial: T) {
  const [values, setValues] = useState(initial);
  const { busy, problem, send } = useSending();
  const set = (patch: Partial<T>) => setValues((before) => ({ ...before, ...patch }));
  return {
    values,
    set,
    busy,
    problem,
    /** Returns the properties of the input or select of a text value. */
    field: <K extends keyof T>(name: K) => ({
      value: values[name],
      onInput: (event: InputEvent) => set({ [name]: event.currentTarget.value } as unknown as Partial<T>),
    }),
    /** Returns a submit handler that sends a request and passes its result on. */
    submit:
      <R>(request: () => Promise<R>, then: (result: R) => void) =>
      (event: Event) => {
        event.preventDefault();
        send(request(), then);
      },
  };
}
