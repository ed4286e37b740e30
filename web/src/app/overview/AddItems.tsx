import { useState } from "preact/hooks";
import { get, type Import, type Project, post, useSending } from "../../api";
import { Button, Dialog, Field, Notice } from "../../ui";
import { plural } from "./steps";

const ACCEPTED = ".csv,.tsv,.jsonl,.ndjson,.json,.parquet,.zip,.txt";

/** Uploads a file of items; columns are inferred, and rows with errors are reported by number. */
export function AddItems({ project, onClose }: { project: Project; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [seen, setSeen] = useState<Import | null>(null);
  const { busy, problem, send } = useSending();
  const add = (event: Event) => {
    event.preventDefault();
    if (file) send(importFile(project.id, file, setSeen), setSeen);
  };
  return (
    <Dialog title="Add items" onClose={onClose}>
      <form class="stack" onSubmit={add}>
        <Field
          label="File"
          type="file"
          accept={ACCEPTED}
          hint="CSV, JSONL, Parquet, Label Studio JSON or a zip archive of images. Existing items are not added again."
          onChange={(e) => setFile(e.currentTarget.files?.[0] ?? null)}
        />
        {problem && <Notice kind="bad">{problem}</Notice>}
        {seen && <Outcome seen={seen} />}
        <div class="row">
          <Button type="submit" look="main" busy={busy} disabled={!file}>
            {busy ? "Importing…" : "Add items"}
          </Button>
          <Button onClick={onClose}>{seen?.state === "done" ? "Close" : "Cancel"}</Button>
        </div>
      </form>
    </Dialog>
  );
}

function Outcome({ seen }: { seen: Import }) {
  if (seen.state === "failed")
    return <Notice kind="bad">{seen.message ?? "The file could not be read. Check its format and try again."}</Notice>;
  const parts = [`${plural(seen.added, "item")} added`];
  if (seen.repeated) parts.push(`${plural(seen.repeated, "row")} already present`);
  if (seen.bad) parts.push(`${plural(seen.bad, "row")} not imported`);
  const first = seen.errors[0];
  return (
    <Notice kind={seen.bad ? "warn" : "good"}>
      {parts.join(", ")}
      {first && `: row ${first.row}, ${first.error}`}
    </Notice>
  );
}

async function importFile(project: number, file: File, show: (seen: Import) => void): Promise<Import> {
  const sent = new FormData();
  sent.append("file", file);
  let seen = await post<Import>(`/api/projects/${project}/imports?wait=true`, sent);
  while (seen.state === "reading") {
    show(seen);
    await new Promise((wake) => setTimeout(wake, 1000));
    seen = await get<Import>(`/api/projects/${project}/imports/${seen.id}`);
  }
  return seen;
}
