// SPDX-License-Identifier: MIT
// The files of the last session, kept in the browser (IndexedDB) and nowhere else.
import { FileEntry, KeptEdits, entryOfBytes, nextBatch } from './entry';

const kMostBytes = 64 << 20;
const kName = 'marrow', kStore = 'session', kKey = 'files';

interface Kept {
  path: string;
  bytes: Uint8Array;
  edits?: KeptEdits;
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

/** Keeps files for the next visit, as many as there is room for, those with edits first. A browser that refuses keeps
 *  nothing. */
export async function keepFiles(files: readonly FileEntry[], editsOf: (file: FileEntry) => Promise<KeptEdits | null>): Promise<void> {
  const kept = new Map<FileEntry, Kept>();
  let size = 0;
  const keep = async (file: FileEntry, edits: KeptEdits | null) => {
    if ((size += file.size + (edits?.bytes?.length ?? 0)) > kMostBytes && !edits) return;
    kept.set(file, { path: file.path, bytes: await file.read(), ...(edits ? { edits } : {}) });
  };
  const edits = await Promise.all(files.map(editsOf));
  for (const isEdited of [true, false]) for (const [i, file] of files.entries()) if ((edits[i] !== null) === isEdited && size <= kMostBytes) await keep(file, edits[i]!);
  const list = files.flatMap((file) => kept.get(file) ?? []);
  await withStore('readwrite', (store) => store.put(list, kKey)).catch(() => undefined);
}

/** Returns the files of the last session. */
export async function keptFiles(): Promise<FileEntry[]> {
  const kept = await withStore<Kept[] | undefined>('readonly', (store) => store.get(kKey)).catch(() => undefined);
  const batch = nextBatch();
  return (kept ?? []).map(({ path, bytes, edits }) => ({ ...entryOfBytes(path, bytes, batch), ...(edits ? { kept: edits } : {}) }));
}

export async function forgetFiles(): Promise<void> {
  await withStore('readwrite', (store) => store.delete(kKey)).catch(() => undefined);
}
