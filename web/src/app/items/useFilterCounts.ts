import { type ItemPage, useLoaded } from "../../api";
import { useAtMostEvery } from "../overview/useOverview";
import { listPath } from "./useItems";

const RELOAD_MS = 15_000; // milliseconds between two counts

/** How many items stand out, by the filters that find them; null while that is not known. */
export function useFilterCounts(project: number, question: string, changing: string): Record<string, number | null> {
  return {
    ambiguous: useTotal(project, question, "ambiguous", changing),
    disputed: useTotal(project, question, "disputed", changing),
    overruled: useTotal(project, question, "overruled", changing),
  };
}

function useTotal(project: number, question: string, filter: string, changing: string): number | null {
  const { data, reload } = useLoaded<ItemPage>(listPath(project, { filter, question, search: "" }, 0, 1));
  useAtMostEvery(RELOAD_MS, changing, reload);
  return data?.total ?? null;
}
