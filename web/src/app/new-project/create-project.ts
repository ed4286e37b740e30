import { call, type Import, type Project, post } from "../../api";
import { cleanSettings } from "../forms/clean-settings";
import { columnsToSend } from "./columns";
import { type Draft, goldColumns } from "./draft";
import { formatOf } from "./inspect-file";

/** Creates the project and uploads its file. A project created by a failed attempt is used again. */
export async function createProject(
  draft: Draft,
  file: File,
  onProject: (project: number) => void,
): Promise<{ project: number; reading: number }> {
  const project = draft.made?.project ?? null;
  const created =
    project === null
      ? await post<Project>("/api/projects", cleanSettings(draft.settings))
      : await call<Project>("PUT", `/api/projects/${project}/settings`, cleanSettings(draft.settings));
  onProject(created.id);
  const reading = await post<Import>(`/api/projects/${created.id}/imports`, formOf(draft, file));
  return { project: created.id, reading: reading.id };
}

function formOf(draft: Draft, file: File): FormData {
  const form = new FormData();
  const { looked } = draft;
  form.append("format", looked?.format === "urls" ? "urls" : (formatOf(file.name) ?? looked?.format ?? "csv"));
  if (looked) {
    const columns = columnsToSend(draft.kind, draft.columns, looked, goldColumns(draft), draft.labels);
    form.append("columns", JSON.stringify(columns));
  }
  form.append("file", file, file.name);
  return form;
}
