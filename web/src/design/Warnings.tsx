import { Notice } from "./Notice";

/** What to know before going on, a notice each. */
export function Warnings({ told }: { told: string[] | undefined }) {
  return (
    <>
      {(told ?? []).map((warning) => (
        <Notice kind="warn" key={warning}>
          {warning}
        </Notice>
      ))}
    </>
  );
}
