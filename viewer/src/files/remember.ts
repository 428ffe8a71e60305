// SPDX-License-Identifier: MIT
// The files of the last session, kept in the browser (IndexedDB) and nowhere else.
import { FileEntry, entryOfBytes, nextBatch } from './entry';

const kMostBytes = 64 << 20;
const kName = 'marrow', kStore = 'session', kKey = 'files';

interface Kept {
  path: string;
  bytes: Uint8Array;
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(kName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(kStore);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function withStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const request = work(database.transaction(kStore, mode).objectStore(kStore));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } finally {
    database.close();
  }
}

/** Keeps files for the next visit, as many as there is room for. A browser that refuses keeps nothing. */
export async function keepFiles(files: readonly FileEntry[]): Promise<void> {
  const kept: Kept[] = [];
  let size = 0;
  for (const file of files) {
    if ((size += file.size) > kMostBytes) break;
    kept.push({ path: file.path, bytes: await file.read() });
  }
  await withStore('readwrite', (store) => store.put(kept, kKey)).catch(() => undefined);
}

/** Returns the files of the last session. */
export async function keptFiles(): Promise<FileEntry[]> {
  const kept = await withStore<Kept[] | undefined>('readonly', (store) => store.get(kKey)).catch(() => undefined);
  const batch = nextBatch();
  return (kept ?? []).map(({ path, bytes }) => entryOfBytes(path, bytes, batch));
}

export async function forgetFiles(): Promise<void> {
  await withStore('readwrite', (store) => store.delete(kKey)).catch(() => undefined);
}
