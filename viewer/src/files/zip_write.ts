// SPDX-License-Identifier: MIT
// Zip archives of stored files. The formats of games are packed already.

const kLocal = 0x04034b50, kEntry = 0x02014b50, kEnd = 0x06054b50;
const kVersion = 20, kUtf8 = 0x0800;
/** 1 January 1980: archives of equal files are equal. */
const kDate = 0x0021;

const kTable = Uint32Array.from({ length: 256 }, (_, i) => {
  let value = i;
  for (let k = 0; k < 8; ++k) value = (value >>> 1) ^ (0xedb88320 & -(value & 1));
  return value;
});

export function crc32(bytes: Uint8Array): number {
  let value = ~0;
  for (const byte of bytes) value = kTable[(value ^ byte) & 255]! ^ (value >>> 8);
  return ~value >>> 0;
}

/** Numbers of two and four bytes, one after the other. */
function packed(layout: string, ...values: number[]): Uint8Array {
  const out = new DataView(new ArrayBuffer([...layout].reduce((sum, each) => sum + Number(each), 0)));
  let at = 0;
  [...layout].forEach((size, i) => {
    if (size === '2') out.setUint16(at, values[i]!, true);
    else out.setUint32(at, values[i]!, true);
    at += Number(size);
  });
  return new Uint8Array(out.buffer);
}

/** Returns an archive of files. */
export function zipOf(files: readonly (readonly [path: string, bytes: Uint8Array])[]): Uint8Array {
  const parts: Uint8Array[] = [], list: Uint8Array[] = [];
  let at = 0;
  for (const [path, bytes] of files) {
    const name = new TextEncoder().encode(path);
    const common = [kVersion, kUtf8, 0, 0, kDate, crc32(bytes), bytes.length, bytes.length, name.length, 0];
    parts.push(packed('42222244422', kLocal, ...common), name, bytes);
    list.push(packed('42222224442222244', kEntry, kVersion, ...common, 0, 0, 0, 0, at), name);
    at += 30 + name.length + bytes.length;
  }
  const directory = list.reduce((sum, each) => sum + each.length, 0);
  const end = packed('42222442', kEnd, 0, 0, files.length, files.length, directory, at, 0);
  const all = [...parts, ...list, end];
  const out = new Uint8Array(all.reduce((sum, each) => sum + each.length, 0));
  let place = 0;
  for (const part of all) {
    out.set(part, place);
    place += part.length;
  }
  return out;
}
