// SPDX-License-Identifier: MIT
import type { Marrow } from '../abi/marrow';
import { FileEntry, entryOfBytes } from './entry';

/** More than this does not fit into the memory of a page beside what is made of it. */
const kMostBytes = 1 << 30;

/** True if a file starts as an archive of the games does: BSA or BA2. */
export function isGameArchive(head: Uint8Array): boolean {
  const word = String.fromCharCode(...head.subarray(0, 4));
  return word === 'BSA\0' || word === 'BTDX';
}

/** Lists the files of an archive, in its order. They are unpacked when they are read. */
export async function archiveFiles(marrow: Marrow, path: string, file: Blob, batch: number, most: number): Promise<FileEntry[]> {
  if (file.size > kMostBytes) throw new Error(`${path} is too large for a page (${(file.size / (1 << 30)).toFixed(1)} GB): unpack what you need with marrow archive extract.`);
  const archive = marrow.openArchive(new Uint8Array(await file.arrayBuffer()));
  const entries: FileEntry[] = [];
  for (let i = 0; i < Math.min(archive.count, most); ++i) {
    const entry = archive.entry(i);
    if (entry.safe === 0) continue;
    entries.push({ ...entryOfBytes(`${path}/${entry.path}`, new Uint8Array(), batch), size: Number(entry.size), read: async () => archive.read(i) });
  }
  return entries;
}
