// SPDX-License-Identifier: MIT
// The files of sessions, kept in the browser (IndexedDB) and nowhere else. Each page writes a record of its own, so that one
// cannot overwrite what was edited in another; the records of pages that are gone are what is offered again.
import { FileEntry, KeptEdits, entryOfBytes, nextBatch } from './entry';

const kMostBytes = 64 << 20;
const kName = 'marrow', kStore = 'session';

interface Kept {
  path: string;
  bytes: Uint8Array;
  edits?: KeptEdits;
}
interface SessionRecord {
  at: number;
  files: Kept[];
}
/** What a page that is gone has left. */
export interface EndedSession {
  key: string;
  files: readonly FileEntry[];
}

/** The record of this page, and its lock while it is open. */
const kOwn = `page ${Date.now().toString(36)} ${Math.random().toString(36).slice(2)}`;
/** The page that this one replaced in its tab: its lock may last a moment longer. */
const kBefore = replacedPage();
function replacedPage(): string | null {
  const name = 'marrow page';
  try {
    const before = sessionStorage.getItem(name);
    sessionStorage.setItem(name, kOwn);
    return before;
  } catch {
    return null;
  }
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
      const transaction = database.transaction(kStore, mode);
      const request = work(transaction.objectStore(kStore));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}
const remove = (key: string) => withStore('readwrite', (store) => store.delete(key)).catch(() => undefined);

/** Tells other pages that this one is open, as long as it is. */
export function noteOpenPage(): void {
  // If the browser has no locks, every other page counts as gone.
  void navigator.locks?.request(kOwn, () => new Promise(() => undefined)).catch(() => undefined);
}
async function openPages(): Promise<ReadonlySet<string>> {
  try {
    const { held = [] } = await navigator.locks.query();
    return new Set([kOwn, ...held.flatMap(({ name }) => (name && name !== kBefore ? [name] : []))]);
  } catch {
    return new Set([kOwn]);
  }
}
/** The records of pages that are gone, the newest first. */
async function records(): Promise<[string, SessionRecord][]> {
  const [keys, values, pages] = await Promise.all([withStore('readonly', (store) => store.getAllKeys()), withStore('readonly', (store) => store.getAll() as IDBRequest<(SessionRecord | Kept[])[]>), openPages()]);
  return keys
    .map((key, i): [string, SessionRecord] => [String(key), Array.isArray(values[i]) ? { at: 0, files: values[i] } : (values[i] as SessionRecord)])
    .filter(([key]) => !pages.has(key))
    .sort(([, a], [, b]) => b.at - a.at);
}
const hasEdits = ({ files }: SessionRecord) => files.some(({ edits }) => edits);

let turn: Promise<void> = Promise.resolve();
const adopted = new Set<string>();

/** Keeps files for the next visit, as many as there is room for, those with edits first. A browser that refuses keeps
 *  nothing. */
export function keepFiles(files: readonly FileEntry[], editsOf: (file: FileEntry) => Promise<KeptEdits | null>): Promise<void> {
  // One after the other: what was kept earlier must not come later.
  turn = turn.then(() => keep(files, editsOf)).catch(() => undefined);
  return turn;
}
async function keep(files: readonly FileEntry[], editsOf: (file: FileEntry) => Promise<KeptEdits | null>): Promise<void> {
  const kept = new Map<FileEntry, Kept>();
  let size = 0;
  const add = async (file: FileEntry, edits: KeptEdits | null) => {
    if ((size += file.size + (edits?.bytes?.length ?? 0)) > kMostBytes && !edits) return;
    kept.set(file, { path: file.path, bytes: await file.read(), ...(edits ? { edits } : {}) });
  };
  const edits = await Promise.all(files.map(editsOf));
  for (const isEdited of [true, false]) for (const [i, file] of files.entries()) if ((edits[i] !== null) === isEdited && size <= kMostBytes) await add(file, edits[i]!);
  const record: SessionRecord = { at: Date.now(), files: files.flatMap((file) => kept.get(file) ?? []) };
  // What this page has taken over is in its own record now: at once, or a page that goes in between leaves it twice.
  await withStore('readwrite', (store) => {
    for (const key of adopted) store.delete(key);
    return store.put(record, kOwn);
  });
  // Of what was only looked at, the newest is enough.
  for (const [key, ended] of await records()) if (!hasEdits(ended)) await remove(key);
}

/** Returns what pages that are gone have left: those with edits that were not downloaded, and the newest. */
export async function endedSessions(): Promise<{ edited: EndedSession[]; last: EndedSession | null }> {
  const found = await records().catch(() => []);
  const taken = ([key, { files }]: [string, SessionRecord]): EndedSession => {
    const batch = nextBatch();
    return { key, files: files.map(({ path, bytes, edits }) => ({ ...entryOfBytes(path, bytes, batch), ...(edits ? { kept: edits } : {}) })) };
  };
  return { edited: found.filter(([, record]) => hasEdits(record)).map(taken), last: found[0] ? taken(found[0]) : null };
}
/** How long a page that was loaded again may take to be back with what it had. */
const kMillisecondsToComeBack = 3000;

/** Calls `found` with what an open page has left when that page is gone for good: edits that were not downloaded. */
export async function watchOpenPages(found: (ended: EndedSession) => void): Promise<void> {
  try {
    const others = [...(await openPages())].filter((key) => key !== kOwn);
    for (const key of others)
      void navigator.locks
        .request(key, () => undefined)
        .then(() => new Promise((resolve) => setTimeout(resolve, kMillisecondsToComeBack)))
        .then(async () => (await endedSessions()).edited.filter((each) => each.key === key && !adopted.has(key)).forEach(found))
        .catch(() => undefined);
  } catch {
    // A browser without locks knows of no open pages.
  }
}

/** Notes that this page has what another left: its record goes when this page's is written. */
export function adoptSession(key: string): void {
  adopted.add(key);
}
/** Forgets what a page has left. */
export async function dropSession(key: string): Promise<void> {
  await remove(key);
}
/** Forgets everything. */
export async function forgetFiles(): Promise<void> {
  await turn;
  await withStore('readwrite', (store) => store.clear()).catch(() => undefined);
}
