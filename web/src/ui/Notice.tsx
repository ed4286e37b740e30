import type { ComponentChildren } from "preact";

interface Props {
  kind?: "good" | "warn" | "bad";
  children: ComponentChildren;
}

/** A message. Screen readers announce errors immediately and other messages politely. */
export function Notice({ kind, children }: Props) {
  return (
    <div class={`notice ${kind ?? ""}`} role={kind === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}
