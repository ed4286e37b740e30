import { ButtonLink, Empty } from "../../ui";

const STEPS: [title: string, text: string][] = [
  ["Bring a file", "Texts, pairs of texts, images, sounds, or rows of numbers. CSV, JSONL, Parquet or a zip."],
  ["Say what to ask", "One question, or several criteria. See what a worker sees, and what it is likely to cost."],
  [
    "Invite people",
    "By a link, or from a panel. A machine learns as they vote, and takes over where it can be trusted.",
  ],
];

/** Nothing here yet: what a project is, and how to make the first. */
export function FirstProject({ mayMake }: { mayMake: boolean }) {
  if (!mayMake)
    return (
      <Empty>
        <p>No projects to look into. To vote, open the link you were sent.</p>
      </Empty>
    );
  return (
    <section class="card first">
      <div class="stack">
        <h2>Have a pile of things classified</h2>
        <p class="soft">
          Quorate asks people only where a vote is worth its price, lets a machine decide what it is sure of, and tells
          you how far the result can be trusted.
        </p>
      </div>
      <ol>
        {STEPS.map(([title, text]) => (
          <li key={title}>
            <h3>{title}</h3>
            <p class="soft">{text}</p>
          </li>
        ))}
      </ol>
      <div class="row">
        <ButtonLink look="main" href="/new">
          Make the first project
        </ButtonLink>
        <span class="small soft">Nothing is asked or spent before you start it.</span>
      </div>
    </section>
  );
}
