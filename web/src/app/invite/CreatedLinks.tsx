import type { WorkerLink } from "../../api";
import { Copy } from "../../ui";

/** Links that were made at once; whom: the person of a single one, if named. */
export interface Batch {
  whom: string;
  links: WorkerLink[];
}

/** The links made so far, the newest first. */
export function MadeLinks({ made }: { made: Batch[] }) {
  const newest = made[0]?.links[0];
  if (!newest) return null;
  return (
    <div class="stack" aria-live="polite">
      {made.map(({ whom, links }) => (
        <Copy
          key={links[0]?.id}
          label={links.length === 1 ? `The link of ${whom || links[0]?.code}` : `${links.length} links, one for each`}
          text={links.map((one) => one.link).join("\n")}
        />
      ))}
      <p class="soft small">
        The Workers page shows them again. To try the work yourself,{" "}
        <a href={newest.link} target="_blank" rel="noreferrer">
          open the newest
        </a>
        .
      </p>
    </div>
  );
}
