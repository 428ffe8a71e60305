// SPDX-License-Identifier: MIT
// What has to be given back: handles, and memory of the module.
import type { Marrow } from './marrow';
import type { Memory } from './memory';
import type { Handle } from './values';

/** Anything that is freed with `release`, once. */
export class Owned {
  private released = false;

  constructor(
    readonly marrow: Marrow,
    readonly handle: Handle,
  ) {}
  release(): void {
    if (!this.released) this.marrow.release(this.handle);
    this.released = true;
  }
}

/** Memory of the module that is written to again and again, without allocating. */
export class Buffer {
  private at = 0;
  private size = 0;

  constructor(private readonly memory: Memory) {}
  address(count: number): number {
    if (count > this.size) {
      this.free();
      this.at = this.memory.allocate(count * 4);
      this.size = count;
    }
    return this.at;
  }
  free(): void {
    if (this.at) this.memory.core.marrow_deallocate(this.at);
    this.at = this.size = 0;
  }
}
