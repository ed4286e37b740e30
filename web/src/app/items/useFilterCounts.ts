import { type ItemPage, useLoaded } from "../../api";
import { useAtMostEvery } from "../useAtMostEvery";
import { listPath } from "./useItems";

const RELOAD_MS = 15_000; // between two counts

/** Loads the number of items of the filters that the overview does not count; null until it is loaded. */
export function useFilterCounts(project: number, question: string, revision: string): Record<string, number | null> {
  return {
    ambiguous: useTotal(project, question, "ambiguous", revision),
    disputed: useTotal(project, question, "disputed", revision),
    overruled: useTotal(project, question, "overruled", revision),
  };
}

function useTotal(project: number, question: string, filter: string, revision: string): number | null {
  const { data, reload } = useLoaded<ItemPage>(listPath(project, { filter, question, search: "" }, 0, 1));
  useAtMostEvery(RELOAD_MS, revision, reload);
  return data?.total ?? null;
}
