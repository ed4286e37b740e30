import type { ProjectSettings } from "../../api";

/** Settings as they are sent: without spaces around names, and without lines that were left empty. */
export function cleanSettings(settings: ProjectSettings): ProjectSettings {
  const questions = settings.questions.map((question) => ({
    ...question,
    name: question.name.trim(),
    holds: question.holds?.trim() ?? null,
    classes: question.classes.map((spec) => ({
      ...spec,
      name: spec.name.trim(),
      examples: spec.examples.map((line) => line.trim()).filter(Boolean),
    })),
  }));
  const frames = settings.door.frames.map((line) => line.trim()).filter(Boolean);
  const door = { ...settings.door, frames };
  return { ...settings, door, name: settings.name.trim(), currency: settings.currency.trim(), questions };
}
