import { type Draft, newDraft } from "./draft";

const NAME = "quorate:draft";
const STORE = "files";
const LARGEST = 200 * 1024 * 1024; // bytes of a file that the browser is asked to keep

/** The draft as it was left, also by a reload; a new one where there is none, or where it cannot be read. */
export function loadDraft(): Draft {
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

export function saveDraft(draft: Draft): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing: the draft lives as long as the page.
  }
}

export function deleteDraft(): void {
  try {
    localStorage.removeItem(NAME);
  } catch {
    // nothing was kept
  }
  void saveFile(null);
}

/** The file of the draft, for after a reload; larger ones are asked for again. */
export async function saveFile(file: File | null): Promise<void> {
  try {
    await inStore<unknown>("readwrite", (store) => {
      const request: IDBRequest = file && file.size <= LARGEST ? store.put(file, NAME) : store.delete(NAME);
      return request;
    });
  } catch {
    // asked for again after a reload
  }
}

export async function loadFile(): Promise<File | null> {
  try {
    const stored: unknown = await inStore("readonly", (store) => store.get(NAME));
    return stored instanceof File ? stored : null;
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
      const request = work(database.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      request.transaction?.addEventListener("complete", () => database.close());
    };
  });
}
