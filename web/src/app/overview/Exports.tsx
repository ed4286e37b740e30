import type { Project, ProjectState } from "../../api";
import { Button, ButtonLink, Dialog } from "../../ui";

interface Props {
  project: Project;
  state: ProjectState;
  onClose: () => void;
}

const FILES: [what: string, name: string, forms: [form: string, name: string][]][] = [
  [
    "items",
    "Items with labels",
    [
      ["csv", "CSV"],
      ["jsonl", "JSONL"],
      ["parquet", "Parquet"],
      ["json", "Label Studio"],
      ["manifest", "Ground Truth"],
    ],
  ],
  [
    "votes",
    "All votes",
    [
      ["csv", "CSV"],
      ["jsonl", "JSONL"],
      ["parquet", "Parquet"],
    ],
  ],
  ["workers", "Workers", [["csv", "CSV"]]],
  ["payments", "Payments per worker", [["csv", "CSV"]]],
  [
    "decisions",
    "Decision log",
    [
      ["csv", "CSV"],
      ["jsonl", "JSONL"],
    ],
  ],
];

/** Downloads of all results; open items of a running project have no label yet. */
export function Exports({ project, state, onClose }: Props) {
  return (
    <Dialog title="Download results" onClose={onClose}>
      <p class="soft">
        {state === "done"
          ? "Labels with confidence, decision source, reason and cost."
          : "Current results: open items have no label yet."}
      </p>
      {FILES.map(([what, name, forms]) => (
        <div class="stack export" key={what}>
          <h3>{name}</h3>
          <div class="row">
            {forms.map(([form, label], index) => (
              <ButtonLink
                key={form}
                small
                look={what === "items" && index === 0 ? "main" : undefined}
                href={`/api/projects/${project.id}/exports/${what}.${form}`}
                download
              >
                {label}
                <span class="unseen"> of {name}</span>
              </ButtonLink>
            ))}
          </div>
        </div>
      ))}
      <div class="row">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
