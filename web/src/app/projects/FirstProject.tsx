import { ButtonLink, Empty } from "../../ui";

const STEPS: [title: string, text: string][] = [
  ["Upload items", "Texts, text pairs, images, audio or numeric features, as CSV, JSONL, Parquet or zip."],
  ["Define the question", "One question or several criteria. Preview the task and forecast its cost."],
  [
    "Invite workers",
    "By link or through a panel. A classifier learns from the votes and decides the items it is reliable on.",
  ],
];

/** The empty list of projects: what a project is, and how to create the first one. */
export function FirstProject({ mayMake }: { mayMake: boolean }) {
  if (!mayMake)
    return (
      <Empty>
        <p>You have no projects. To vote, open the link you were sent.</p>
      </Empty>
    );
  return (
    <section class="card first">
      <div class="stack">
        <h2>Create your first project</h2>
        <p class="soft">
          Quorate requests votes only where they are worth their price, lets a classifier decide the items it is
          confident about, and reports the quality of the result.
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
          Create project
        </ButtonLink>
        <span class="small soft">Nothing is spent before you start the project.</span>
      </div>
    </section>
  );
}
