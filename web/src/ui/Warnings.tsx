import { Notice } from "./Notice";

/** What to know before going on, a notice each. */
export function Warnings({ warnings }: { warnings: string[] | undefined }) {
  return (
    <>
      {(warnings ?? []).map((warning) => (
        <Notice kind="warn" key={warning}>
          {warning}
        </Notice>
      ))}
    </>
  );
}
