import { type Draft, newDraft } from "./draft";

const NAME = "quorate:draft";
const STORE = "files";
const MAX_FILE_BYTES = 200 * 1024 * 1024; // of a file that the browser stores

/** Returns the stored draft; a new one if there is none or it cannot be read. */
export function loadDraft(): Draft {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? "null") as Draft | null;
    const fresh = newDraft();
    if (!kept?.settings) return fresh;
    const door = { ...fresh.settings.door, ...kept.settings.door }; // a draft of an older version may lack fields
    return { ...fresh, ...kept, settings: { ...fresh.settings, ...kept.settings, door } };
  } catch {
    return newDraft();
  }
}

export function saveDraft(draft: Draft): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(draft));
  } catch {
    // Without storage, the draft lasts as long as the page.
  }
}

export function deleteDraft(): void {
  try {
    localStorage.removeItem(NAME);
  } catch {
    // nothing was stored
  }
  void saveFile(null);
}

/** Stores the file of the draft; larger files must be chosen again after a reload. */
export async function saveFile(file: File | null): Promise<void> {
  try {
    await inStore<unknown>("readwrite", (store) => {
      const request: IDBRequest = file && file.size <= MAX_FILE_BYTES ? store.put(file, NAME) : store.delete(NAME);
      return request;
    });
  } catch {
    // the file must be chosen again after a reload
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
