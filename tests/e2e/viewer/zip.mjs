// SPDX-License-Identifier: MIT
// Writes a zip archive of deflated files, for the tests.
import zlib, { deflateRawSync } from 'node:zlib';

// Node 18, which Debian has, comes without one.
const crc = zlib.crc32 ?? ((data) => {
  let value = ~0;
  for (const byte of data) {
    value ^= byte;
    for (let k = 0; k < 8; ++k) value = (value >>> 1) ^ (0xedb88320 & -(value & 1));
  }
  return ~value >>> 0;
});

export default function zipped(files) {
  const parts = [], list = [];
  let at = 0;
  for (const [name, data] of files) {
    const packed = deflateRawSync(data), path = Buffer.from(name);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc(data), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt16LE(path.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), head, path, packed);
    const tail = Buffer.alloc(16);
    tail.writeUInt32LE(at, 12);
    list.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head.subarray(0, 24), head.subarray(24, 26), tail.subarray(2), path);
    at += 30 + path.length + packed.length;
  }
  const directory = Buffer.concat(list), end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
