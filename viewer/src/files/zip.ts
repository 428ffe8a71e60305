// SPDX-License-Identifier: MIT
// Zip archives: the list at the end, and entries that are stored or deflated. Sizes are checked before they are used.

const kEnd = 0x06054b50, kEntry = 0x02014b50, kLocal = 0x04034b50;
const kStored = 0, kDeflated = 8;
const kLargestEntry = 1 << 30;

export interface ZipEntry {
  path: string;
  size: number;
  read(): Promise<Uint8Array>;
}

export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;

/** Inflates at most `size` bytes. Throws if there are more. */
async function inflate(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const out = new Uint8Array(size);
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > size) throw new Error('An entry of the archive is larger than the archive says.');
    out.set(value, at);
    at += value.length;
  }
  if (at !== size) throw new Error('An entry of the archive is smaller than the archive says.');
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
  let at = u32(end + 16);
  for (let i = u16(end + 10); i > 0; --i) {
    if (at + 46 > bytes.length || u32(at) !== kEntry) throw broken();
    const method = u16(at + 10), packed = u32(at + 20), size = u32(at + 24), local = u32(at + 42);
    const nameEnd = at + 46 + u16(at + 28);
    const path = new TextDecoder().decode(bytes.slice(at + 46, nameEnd)).replaceAll('\\', '/');
    at = nameEnd + u16(at + 30) + u16(at + 32);
    if (path.endsWith('/')) continue;
    entries.push({
      path,
      size,
      read: async () => {
        if (local + 30 > bytes.length || u32(local) !== kLocal || size > kLargestEntry) throw broken();
        const start = local + 30 + u16(local + 26) + u16(local + 28);
        if (start + packed > bytes.length) throw broken();
        const data = bytes.slice(start, start + packed);
        if (method === kStored && packed === size) return data;
        if (method === kDeflated) return inflate(data, size);
        throw new Error(`The archive packs ${path} in a way that is not known here.`);
      },
    });
  }
  return entries;
}
