import { useEffect, useState } from "preact/hooks";
import type { Project, ProjectSettings } from "../../api";
import { type Faults, faultsOf } from "../forms/field-errors";
import type { PartProps } from "../forms/parts";
import { type Change, changesOf } from "./changes";

export interface Editing extends PartProps {
  changes: Change[];
  /** Whether there are no new errors compared with the saved settings. */
  ready: boolean;
  undo: () => void;
  refuse: (faults: Faults) => void;
}

/** Unsaved settings by project, so that visiting another page loses nothing. */
const unsaved = new Map<number, { version: number; settings: ProjectSettings }>();

addEventListener("beforeunload", (event) => {
  if (unsaved.size) event.preventDefault();
});

function initialSettings(project: Project): ProjectSettings {
  const kept = unsaved.get(project.id);
  return kept?.version === project.settings_version ? kept.settings : project.settings;
}

/** Edits settings and compares them with the saved ones. */
export function useEditing(project: Project): Editing {
  const [settings, setSettings] = useState<ProjectSettings>(() => initialSettings(project));
  const [refused, setRefused] = useState<Faults>({});
  const changes = changesOf(project.settings, settings);
  const old = faultsOf(project.settings);
  const faults = Object.fromEntries(Object.entries(faultsOf(settings)).filter(([path]) => !(path in old)));
  useEffect(() => setSettings(initialSettings(project)), [project.settings_version]);
  useEffect(() => {
    if (changes.length) unsaved.set(project.id, { version: project.settings_version, settings });
    else unsaved.delete(project.id);
  }, [settings, changes.length]);
  return {
    settings,
    change: (patch) => {
      setRefused({});
      setSettings((before) => ({ ...before, ...patch }));
    },
    faults: { ...refused, ...faults },
    changes,
    ready: Object.keys(faults).length === 0,
    undo: () => setSettings(project.settings),
    refuse: setRefused,
  };
}
