// SPDX-License-Identifier: MIT
// What people drop or choose: files, folders with all that is in them, archives.
import { FileEntry, entryOfBytes, entryOfFile, nextBatch } from './entry';
import { isZip, readZip } from './zip';

const kMostFiles = 20000;

interface Found {
  path: string;
  file: File;
}

async function walk(entry: FileSystemEntry, folder: string, found: Found[]): Promise<void> {
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
    for (const each of some) await walk(each, `${folder}${entry.name}/`, found);
  }
}

/** Archives become the files in them; everything else stays as it is. */
async function unpack(found: readonly Found[], batch: number): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for (const { path, file } of found) {
    const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
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
export async function droppedFiles(transfer: DataTransfer): Promise<FileEntry[]> {
  const batch = nextBatch();
  const roots = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const found: Found[] = [];
  if (roots.some((root) => root?.isDirectory)) {
    for (const root of roots) if (root) await walk(root, '', found);
  } else {
    for (const file of transfer.files) found.push({ path: file.name, file });
  }
  return unpack(found, batch);
}

/** Returns the files of a file input. */
export async function chosenFiles(files: FileList): Promise<FileEntry[]> {
  const found = [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return unpack(found, nextBatch());
}
