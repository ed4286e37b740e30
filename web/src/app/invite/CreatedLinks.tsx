import type { WorkerLink } from "../../api";
import { Copy } from "../../ui";

/** Links that were created together. whom: the name of the person, for a single link. */
export interface Batch {
  whom: string;
  links: WorkerLink[];
}

/** The links created so far, newest first. */
export function CreatedLinks({ batches }: { batches: Batch[] }) {
  const newest = batches[0]?.links[0];
  if (!newest) return null;
  return (
    <div class="stack" aria-live="polite">
      {batches.map(({ whom, links }) => (
        <Copy
          key={links[0]?.id}
          label={links.length === 1 ? `Link for ${whom || links[0]?.code}` : `${links.length} links, one per person`}
          text={links.map((link) => link.link).join("\n")}
        />
      ))}
      <p class="soft small">
        You can find them again on the Workers page. To try the task yourself,{" "}
        <a href={newest.link} target="_blank" rel="noreferrer">
          open the newest link
        </a>
        .
      </p>
    </div>
  );
}
