/** Keyboard shortcuts. Keys of classes take precedence over those of actions. */
import type { ClassSpec } from "../api/types";

const DIGITS = [..."123456789"];
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const ACTION_KEYS = { skip: "sxz0", unsure: "uqy0", guide: "iwhd", votes: "opnm", grid: "gkjl" };

export type Action = keyof typeof ACTION_KEYS;

type Keyed = Pick<ClassSpec, "key"> & { name?: string };

/**
 * Returns the key of each class: its own, otherwise 1 to 9 by position, then letters; null if none is left.
 *
 * If all classes are named by single letters or digits, these are their keys.
 */
export function classKeys(classes: Keyed[]): (string | null)[] {
  const names = classes.map(({ name }) => (name ?? "").toLowerCase());
  const areSingleKeys = names.every((name) => /^[a-z0-9]$/.test(name)) && new Set(names).size === names.length;
  if (areSingleKeys && classes.every(({ key }) => key === null)) return names;
  const taken = new Set<string>();
  const assigned = classes.map(({ key }) => {
    const lower = key?.toLowerCase().trim() || null;
    if (lower === null || taken.has(lower)) return null;
    taken.add(lower);
    return lower;
  });
  const reserved = new Set(Object.values(ACTION_KEYS).map((keys) => keys[0] as string));
  const free = LETTERS.filter((letter) => !taken.has(letter) && !reserved.has(letter));
  return assigned.map((key, index) => {
    if (key !== null) return key;
    const digit = DIGITS[index];
    if (digit !== undefined && !taken.has(digit)) return digit;
    return free.shift() ?? null;
  });
}

/** Returns the keys of the actions: for each, the first that no class uses. */
export function actionKeys(taken: (string | null)[]): Record<Action, string | null> {
  const assigned = {} as Record<Action, string | null>;
  for (const action of Object.keys(ACTION_KEYS) as Action[]) {
    assigned[action] = [...ACTION_KEYS[action]].find((key) => !taken.includes(key)) ?? null;
  }
  return assigned;
}
