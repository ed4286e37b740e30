/** Which key does what. Classes come first: what a page needs itself moves out of their way. */
import type { ClassSpec } from "../api/types";

const DIGITS = [..."123456789"];
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const OWN = { skip: "sxz0", unsure: "uqy0", guide: "iwhd", told: "opnm", grid: "gkjl" };

export type Action = keyof typeof OWN;

type Keyed = Pick<ClassSpec, "key"> & { name?: string };

/** The key of each class: its own, else 1 to 9 by its place, then letters; null where none is left.
 *  Classes that are called by one letter or digit each have that as their key. */
export function classKeys(classes: Keyed[]): (string | null)[] {
  const names = classes.map(({ name }) => (name ?? "").toLowerCase());
  const speak = names.every((name) => /^[a-z0-9]$/.test(name)) && new Set(names).size === names.length;
  if (speak && classes.every(({ key }) => key === null)) return names;
  const taken = new Set<string>();
  const own = classes.map(({ key }) => {
    const wanted = key?.toLowerCase().trim() || null;
    if (wanted === null || taken.has(wanted)) return null;
    taken.add(wanted);
    return wanted;
  });
  const kept = new Set(Object.values(OWN).map((few) => few[0] as string));
  const free = LETTERS.filter((letter) => !taken.has(letter) && !kept.has(letter));
  return own.map((key, place) => {
    if (key !== null) return key;
    const digit = DIGITS[place];
    if (digit !== undefined && !taken.has(digit)) return digit;
    return free.shift() ?? null;
  });
}

/** The keys of skipping, being unsure and so on: the first of each that no class has. */
export function actionKeys(taken: (string | null)[]): Record<Action, string | null> {
  const found = {} as Record<Action, string | null>;
  for (const action of Object.keys(OWN) as Action[]) {
    found[action] = [...OWN[action]].find((key) => !taken.includes(key)) ?? null;
  }
  return found;
}
