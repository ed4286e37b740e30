import type { ProjectSettings } from "../../api";

/** Settings as they are sent: without spaces around names, and without lines that were left empty. */
export function cleaned(settings: ProjectSettings): ProjectSettings {
  const questions = settings.questions.map((one) => ({
    ...one,
    name: one.name.trim(),
    holds: one.holds?.trim() ?? null,
    classes: one.classes.map((each) => ({
      ...each,
      name: each.name.trim(),
      examples: each.examples.map((line) => line.trim()).filter(Boolean),
    })),
  }));
  const frames = settings.door.frames.map((line) => line.trim()).filter(Boolean);
  const door = { ...settings.door, frames };
  return { ...settings, door, name: settings.name.trim(), currency: settings.currency.trim(), questions };
}
