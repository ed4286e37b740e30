import { type Draft, newDraft } from "./draft";

const NAME = "quorate:draft";
const STORE = "files";
const LARGEST = 200 * 1024 * 1024; // bytes of a file that the browser is asked to keep

/** The draft as it was left, also by a reload; a new one where there is none, or where it cannot be read. */
export function keptDraft(): Draft {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? "null") as Draft | null;
    const fresh = newDraft();
    if (!kept?.settings) return fresh;
    const door = { ...fresh.settings.door, ...kept.settings.door }; // an older page may have kept less of it
    return { ...fresh, ...kept, settings: { ...fresh.settings, ...kept.settings, door } };
  } catch {
    return newDraft();
  }
}

export function keepDraft(draft: Draft): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing: the draft lives as long as the page.
  }
}

export function forgetDraft(): void {
  try {
    localStorage.removeItem(NAME);
  } catch {
    // nothing was kept
  }
  void keepFile(null);
}

/** The file of the draft, for after a reload; larger ones are asked for again. */
export async function keepFile(file: File | null): Promise<void> {
  try {
    await inStore<unknown>("readwrite", (store) => {
      const asked: IDBRequest = file && file.size <= LARGEST ? store.put(file, NAME) : store.delete(NAME);
      return asked;
    });
  } catch {
    // asked for again after a reload
  }
}

export async function keptFile(): Promise<File | null> {
  try {
    const found: unknown = await inStore("readonly", (store) => store.get(NAME));
    return found instanceof File ? found : null;
  } catch {
    return null;
  }
}

function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("quorate", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const asked = work(database.transaction(STORE, mode).objectStore(STORE));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
      asked.transaction?.addEventListener("complete", () => database.close());
    };
  });
}
