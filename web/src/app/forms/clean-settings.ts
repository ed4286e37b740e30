import type { ProjectSettings } from "../../api";

/** Returns settings as they are sent: names trimmed and empty lines removed. */
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
