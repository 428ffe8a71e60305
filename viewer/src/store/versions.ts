// SPDX-License-Identifier: MIT
// Bytes of files that are not as they came: operations wrote them, or they were edited in an earlier session.

/** Edits of an earlier session: the bytes that they gave, and what they were. */
export interface Restored {
  /** Undefined if the edits are modifiers that the file cannot hold. */
  bytes?: Uint8Array | undefined;
  labels: readonly string[];
}

export class Versions {
  private readonly now = new Map<number, Uint8Array>();
  private readonly ahead = new Set<number>();
  private readonly restored = new Map<number, Restored>();

  /** Returns the bytes of a file if they are not those that it came with. */
  bytes(file: number): Uint8Array | undefined {
    return this.now.get(file) ?? this.restored.get(file)?.bytes;
  }
  /** Sets the bytes of a file; undefined are those that it came with. */
  set(file: number, bytes: Uint8Array | undefined): void {
    if (bytes) this.now.set(file, bytes);
    else this.now.delete(file);
    this.ahead.delete(file);
  }
  /** True if the open document of a file has edits that its bytes do not have. */
  isAhead(file: number): boolean {
    return this.ahead.has(file);
  }
  setAhead(file: number): void {
    this.ahead.add(file);
  }
  restore(file: number, restored: Restored): void {
    this.restored.set(file, restored);
  }
  restoredOf(file: number): Restored | undefined {
    return this.restored.get(file);
  }
  forget(file: number): void {
    this.now.delete(file);
    this.ahead.delete(file);
    this.restored.delete(file);
  }
}
