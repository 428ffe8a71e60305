// SPDX-License-Identifier: MIT
// Zip archives: the list at the end, and entries that are stored or deflated. Sizes are what the archive says, which is
// not to be believed: memory is taken as data comes, and all entries together get what the library gives a file of that
// size.

const kEnd = 0x06054b50, kEntry = 0x02014b50, kLocal = 0x04034b50;
const kStored = 0, kDeflated = 8;
const kAnyArchive = 64 << 20, kPerByte = 20;

export interface ZipEntry {
  path: string;
  size: number;
  read(): Promise<Uint8Array>;
}

export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;

/** What the entries of one archive may still expand to. Entries that lie at one place are paid each: each is memory. */
class Budget {
  private left: number;
  private readonly paid = new Set<number>();
  constructor(archiveBytes: number) {
    this.left = kAnyArchive + kPerByte * archiveBytes;
  }
  /** Reads an entry, which takes bytes as they come. One that has been read before takes nothing, one that fails gives back
   *  what it took. */
  async pay(entry: number, read: (take: (bytes: number) => void) => Promise<Uint8Array>): Promise<Uint8Array> {
    if (this.paid.has(entry)) return read(() => {});
    let taken = 0;
    try {
      const bytes = await read((count) => {
        if (count > this.left) throw new Error('The archive expands to more than it may; unpack it first.');
        this.left -= count;
        taken += count;
      });
      this.paid.add(entry);
      return bytes;
    } catch (error) {
      this.left += taken;
      throw error;
    }
  }
}

/** Inflates `size` bytes. Throws if there are more or fewer. */
async function inflate(bytes: Uint8Array, size: number, take: (bytes: number) => void): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > size) throw new Error('An entry of the archive is larger than the archive says.');
    take(value.length);
    pieces.push(value);
    at += value.length;
  }
  if (at !== size) throw new Error('An entry of the archive is smaller than the archive says.');
  const out = new Uint8Array(size);
  at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** Lists the files of an archive. Throws a sentence if it is not one. */
export function readZip(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u16 = (at: number) => view.getUint16(at, true), u32 = (at: number) => view.getUint32(at, true);
  const broken = () => new Error('This archive is damaged: its list of files cannot be read.');
  // The end may be followed by a comment of up to 65535 bytes.
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - 65558 && u32(end) !== kEnd) --end;
  if (end < 0 || u32(end) !== kEnd) throw broken();
  const entries: ZipEntry[] = [];
  const budget = new Budget(bytes.length);
  let at = u32(end + 16);
  const count = u16(end + 10);
  for (let i = 0; i < count; ++i) {
    if (at + 46 > bytes.length || u32(at) !== kEntry) throw broken();
    const method = u16(at + 10), packed = u32(at + 20), size = u32(at + 24), local = u32(at + 42);
    const nameEnd = at + 46 + u16(at + 28);
    const path = new TextDecoder().decode(bytes.slice(at + 46, nameEnd)).replaceAll('\\', '/');
    at = nameEnd + u16(at + 30) + u16(at + 32);
    if (path.endsWith('/')) continue;
    entries.push({
      path,
      size,
      read: () => budget.pay(i, async (take) => {
        if (local + 30 > bytes.length || u32(local) !== kLocal) throw broken();
        const start = local + 30 + u16(local + 26) + u16(local + 28);
        if (start + packed > bytes.length) throw broken();
        if (method === kStored && packed === size) {
          take(size);
          return bytes.slice(start, start + packed);
        }
        if (method === kDeflated) return inflate(bytes.subarray(start, start + packed), size, take);
        throw new Error(`The archive packs ${path} in a way that is not known here.`);
      }),
    });
  }
  return entries;
}
