import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ProjectSettings } from "../../api";
import { type Draft, newDraft } from "./draft";
import { deleteDraft, loadDraft, loadFile, saveDraft, saveFile } from "./draft-storage";

export interface Drafting {
  draft: Draft;
  put: (patch: Partial<Draft>) => void;
  change: (patch: Partial<ProjectSettings>) => void;
  /** The file; null until it is chosen, or if a reload lost it. */
  file: File | null;
  choose: (file: File, draft: Draft) => void;
  clear: () => void;
}

/** Keeps the draft. Every change is stored in the browser first, so that a reload loses nothing. */
export function useDraft(): Drafting {
  const [draft, setDraft] = useState<Draft>(loadDraft);
  const [file, setFile] = useState<File | null>(null);
  const latest = useRef(draft);
  useEffect(() => {
    if (draft.source) void loadFile().then((kept) => setFile((chosen) => chosen ?? kept));
  }, []);
  const set = useCallback((next: Draft) => {
    latest.current = next;
    saveDraft(next);
    setDraft(next);
  }, []);
  const put = useCallback((patch: Partial<Draft>) => set({ ...latest.current, ...patch }), []);
  const change = useCallback(
    (patch: Partial<ProjectSettings>) => put({ settings: { ...latest.current.settings, ...patch } }),
    [],
  );
  const choose = useCallback((chosen: File, next: Draft) => {
    setFile(chosen);
    set(next);
    void saveFile(chosen);
  }, []);
  const clear = useCallback(() => {
    set(newDraft());
    deleteDraft();
    setFile(null);
  }, []);
  return { draft, put, change, file, choose, clear };
}
