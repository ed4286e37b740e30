import { Notice } from "./Notice";

/** A list of warnings, one notice each. */
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
