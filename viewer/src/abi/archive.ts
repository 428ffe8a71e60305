// SPDX-License-Identifier: MIT
// Archives of the games (BSA, BA2) as folders.
import * as layout from './layout';
import type { Marrow } from './marrow';
import { Owned } from './owned';
import type { Handle, Value } from './values';

export type ArchiveEntry = Value<typeof layout.archiveEntryStruct>;

/** An archive whose tables were read; its files are unpacked one by one. */
export class Archive extends Owned {
  constructor(marrow: Marrow, handle: Handle) {
    super(marrow, handle);
  }
  /** The number of files. */
  get count(): number {
    return this.marrow.get(layout.archiveStruct, 'marrow_get_archive', this.handle).entryCount;
  }
  entry(index: number): ArchiveEntry {
    return this.marrow.get(layout.archiveEntryStruct, 'marrow_get_archive_entry', this.handle, index);
  }
  read(index: number): Uint8Array {
    return this.marrow.memory.scoped((scope) => {
      const result = this.marrow.open(scope, 'marrow_read_archive_entry', this.handle, index, 0);
      try {
        const file = this.marrow.get(layout.fileStruct, 'marrow_get_file', result, 0);
        return this.marrow.memory.bytes(file.bytes, file.byteCount).slice();
      } finally {
        this.marrow.release(result);
      }
    });
  }
}
