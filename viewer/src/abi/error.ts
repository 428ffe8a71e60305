// SPDX-License-Identifier: MIT
import type { Cure } from './reports';

/** What the library says about a failure. */
export class MarrowError extends Error {
  constructor(
    message: string,
    /** The code as a word, "truncated". */
    readonly code: string,
    readonly number: number,
    /** Byte in the file, or null. */
    readonly offset: number | null,
    /** Place in the structure, or empty. */
    readonly path: string,
    readonly file: string,
    /** The operation that helps, if there is one. */
    readonly cure: Cure | null = null,
  ) {
    super(message);
    this.name = 'MarrowError';
  }

  /** One sentence with the place, for people. */
  get sentence(): string {
    const place = [this.offset === null ? '' : `at byte ${this.offset}`, this.path].filter(Boolean).join(', ');
    const text = this.message.charAt(0).toUpperCase() + this.message.slice(1);
    return place ? `${text} (${place})` : text;
  }
}

/** Returns a failure of any kind as a sentence. */
export function sentenceOf(failure: unknown): string {
  if (failure instanceof MarrowError) return failure.sentence;
  if (failure instanceof WebAssembly.RuntimeError) return 'The library met something that it cannot handle in this file.';
  return failure instanceof Error ? failure.message : String(failure);
}
