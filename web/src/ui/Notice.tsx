import type { ComponentChildren } from "preact";

interface Props {
  kind?: "good" | "warn" | "bad";
  children: ComponentChildren;
}

/** Something to know. What is wrong is read out at once; the rest when there is time. */
export function Notice({ kind, children }: Props) {
  return (
    <div class={`notice ${kind ?? ""}`} role={kind === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}
