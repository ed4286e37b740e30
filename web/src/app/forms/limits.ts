import type { ProjectSettings } from "../../api";
import { LIMITS, type Limits } from "../../api/constants";

const UNBOUNDED = 1e9; // limits from here on only guard the service

/** Errors of settings that are outside the limits of the service, by path: {"workers.batch": "Enter ..."}. */
export function limitErrors(settings: ProjectSettings): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [pattern, limits] of Object.entries<Limits>(LIMITS))
    for (const [path, value] of valuesAt(settings, pattern.split("."))) {
      const error = limitError(value, limits);
      if (error) errors[path] = error;
    }
  return errors;
}

/** The error of one value; null if it is within its limits. */
export function limitError(value: unknown, limits: Limits): string | null {
  if (value === null && limits.nullable) return null;
  if (limits.min !== undefined || limits.max !== undefined) return numberError(value, limits);
  if (typeof value === "string") return lengthError([...value].length, limits);
  const { maxItems } = limits;
  return Array.isArray(value) && maxItems !== undefined && value.length > maxItems
    ? `Use at most ${maxItems.toLocaleString("en")} entries.`
    : null;
}

function numberError(value: unknown, { min = 0, max = UNBOUNDED, integer }: Limits): string | null {
  if (typeof value !== "number" || !Number.isFinite(value)) return "Enter a number.";
  if (integer && !Number.isInteger(value)) return "Enter a whole number.";
  if (value >= min && value <= max) return null;
  if (max === 1) return "Enter a number from 0 to 100%."; // shares are shown as percentages
  return max < UNBOUNDED
    ? `Enter a number from ${min} to ${max.toLocaleString("en")}.`
    : `Enter a number of at least ${min}.`;
}

function lengthError(length: number, { minLength = 0, maxLength = UNBOUNDED }: Limits): string | null {
  if (length < minLength) return "This field is required.";
  return length > maxLength ? `Use at most ${maxLength.toLocaleString("en")} characters.` : null;
}

/** Values at a path, whose parts are names, positions, or * for all of them; none below a value that is not set. */
function valuesAt(value: unknown, parts: string[], path: string[] = []): [path: string, value: unknown][] {
  const [part, ...others] = parts;
  if (part === undefined) return [[path.join("."), value]];
  if (typeof value !== "object" || value === null) return [];
  const entries = part === "*" ? Object.entries(value) : [[part, (value as Record<string, unknown>)[part]] as const];
  return entries.flatMap(([name, entry]) => valuesAt(entry, others, [...path, name]));
}
