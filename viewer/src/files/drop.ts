// SPDX-License-Identifier: MIT
// What people drop or choose: files, folders with all that is in them, zips, archives of the games.
import type { Marrow } from '../abi/marrow';
import { archiveFiles, isGameArchive } from './archive';
import { FileEntry, entryOfBytes, entryOfFile, nextBatch } from './entry';
import { isZip, readZip } from './zip';

const kMostFiles = 20000;

interface Found {
  path: string;
  file: File;
}

/** One thing that was dropped. Browsers hand out folders in two ways: Chromium's handles also work if the page comes from a
 *  disk, where its entries cannot be read; others have entries only. */
interface Root {
  entry: FileSystemEntry | null;
  handle: Promise<FileSystemHandle | null> | null;
}
type Item = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };
type Folder = FileSystemDirectoryHandle & { values(): AsyncIterable<FileSystemHandle> };

async function walkHandle(handle: FileSystemHandle, folder: string, found: Found[]): Promise<void> {
  if (found.length >= kMostFiles) return;
  if (handle.kind === 'file') found.push({ path: folder + handle.name, file: await (handle as FileSystemFileHandle).getFile() });
  else for await (const each of (handle as Folder).values()) await walkHandle(each, `${folder}${handle.name}/`, found);
}

async function walkEntry(entry: FileSystemEntry, folder: string, found: Found[]): Promise<void> {
  if (found.length >= kMostFiles) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path: folder + entry.name, file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const each of some) await walkEntry(each, `${folder}${entry.name}/`, found);
  }
}

async function walk({ entry, handle }: Root, found: Found[]): Promise<void> {
  const own = await handle?.catch(() => null);
  if (own) await walkHandle(own, '', found);
  else if (entry) await walkEntry(entry, '', found);
}

/** Archives become the files in them; everything else stays as it is. */
async function unpack(marrow: Marrow, found: readonly Found[], batch: number): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for (const { path, file } of found) {
    const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
    if (isGameArchive(head)) {
      for (const inner of await archiveFiles(marrow, path, file, batch, kMostFiles)) entries.push(inner);
      continue;
    }
    if (!isZip(head)) {
      entries.push(entryOfFile(path, file, batch));
      continue;
    }
    for (const inner of readZip(new Uint8Array(await file.arrayBuffer())))
      entries.push({ ...entryOfBytes(inner.path, new Uint8Array(), batch), size: inner.size, read: inner.read });
  }
  return entries.sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
}

/** Returns the files of a drop, those of folders and archives too. */
export async function droppedFiles(marrow: Marrow, transfer: DataTransfer): Promise<FileEntry[]> {
  const batch = nextBatch();
  const items = [...transfer.items] as Item[];
  const found: Found[] = [];
  // What an item is can be asked only until the first wait.
  const entries = items.map((item) => item.webkitGetAsEntry());
  if (entries.some((entry) => entry?.isDirectory)) {
    const roots = items.map((item, i): Root => ({ entry: entries[i]!, handle: item.getAsFileSystemHandle?.() ?? null }));
    for (const root of roots) await walk(root, found);
  } else {
    for (const file of transfer.files) found.push({ path: file.name, file });
  }
  return unpack(marrow, found, batch);
}

/** Returns the files of a file input. */
export async function chosenFiles(marrow: Marrow, files: FileList): Promise<FileEntry[]> {
  const found = [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return unpack(marrow, found, nextBatch());
}
