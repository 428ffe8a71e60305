// SPDX-License-Identifier: MIT

/** What was edited in a file and not downloaded when the page was left. */
export interface KeptEdits {
  /** The edited file; absent if the edits are modifiers that the file cannot hold. */
  bytes?: Uint8Array;
  labels: readonly string[];
  /** Modifiers that were put on the skeleton, and their values. */
  preset?: { name: string; bone: string };
  tuned?: readonly { bone: string; type: string; nth: number; field: string; values: readonly number[] }[];
}

/** A file that the page was given. Its bytes are read when they are needed. */
export interface FileEntry {
  readonly id: number;
  /** With the folders that it was dropped with, `mod/meshes/walk.hkx`. */
  readonly path: string;
  readonly size: number;
  /** Files that came together pair with each other first. */
  readonly batch: number;
  /** Edits of an earlier session. */
  readonly kept?: KeptEdits;
  read(): Promise<Uint8Array>;
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
export const stemOf = (path: string): string => nameOf(path).replace(/\.[^.]*$/, '');

let lastId = 0;
let lastBatch = 0;
export const nextBatch = (): number => ++lastBatch;

export function entryOfBytes(path: string, bytes: Uint8Array, batch: number): FileEntry {
  return { id: ++lastId, path, size: bytes.length, batch, read: async () => bytes };
}
export function entryOfFile(path: string, file: File, batch: number): FileEntry {
  return { id: ++lastId, path, size: file.size, batch, read: async () => new Uint8Array(await file.arrayBuffer()) };
}
