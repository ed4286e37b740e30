import { call, type Import, type Project, post } from "../../api";
import { cleaned } from "../forms/cleaned";
import { columnsSent } from "./columns";
import { type Draft, goldOf } from "./draft";
import { formatOf } from "./inspect-file";

/** Make the project, and send its file. A project that was made before, by a try that failed, is used again. */
export async function make(
  draft: Draft,
  file: File,
  onProject: (project: number) => void,
): Promise<{ project: number; reading: number }> {
  const project = draft.made?.project ?? null;
  const made =
    project === null
      ? await post<Project>("/api/projects", cleaned(draft.settings))
      : await call<Project>("PUT", `/api/projects/${project}/settings`, cleaned(draft.settings));
  onProject(made.id);
  const reading = await post<Import>(`/api/projects/${made.id}/imports`, formOf(draft, file));
  return { project: made.id, reading: reading.id };
}

function formOf(draft: Draft, file: File): FormData {
  const form = new FormData();
  const { looked } = draft;
  form.append("format", looked?.format === "urls" ? "urls" : (formatOf(file.name) ?? looked?.format ?? "csv"));
  if (looked) {
    const columns = columnsSent(draft.kind, draft.columns, looked, goldOf(draft), draft.labels);
    form.append("columns", JSON.stringify(columns));
  }
  form.append("file", file, file.name);
  return form;
}
