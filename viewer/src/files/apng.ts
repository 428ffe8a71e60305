// SPDX-License-Identifier: MIT
// Animated PNG: the pictures that a canvas gives, one after the other in one file.
import { crc32 } from './zip_write';

const kSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

interface Chunk {
  kind: string;
  data: Uint8Array;
}

function chunksOf(png: Uint8Array): Chunk[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  for (let at = kSignature.length; at + 12 <= png.length; ) {
    const size = view.getUint32(at);
    chunks.push({ kind: String.fromCharCode(...png.subarray(at + 4, at + 8)), data: png.subarray(at + 8, at + 8 + size) });
    at += 12 + size;
  }
  return chunks;
}
function packed({ kind, data }: Chunk): Uint8Array {
  const out = new Uint8Array(12 + data.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  out.set([...kind].map((letter) => letter.charCodeAt(0)), 4);
  out.set(data, 8);
  view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
  return out;
}
const words = (...values: number[]): Uint8Array => {
  const out = new DataView(new ArrayBuffer(values.length * 4));
  values.forEach((value, i) => out.setUint32(i * 4, value));
  return new Uint8Array(out.buffer);
};

/** Returns pictures of one size as one that moves, for ever. */
export function animatedPng(pictures: readonly Uint8Array[], fps: number): Uint8Array {
  const [first] = pictures;
  if (!first) throw new Error('There is no picture.');
  const head = chunksOf(first).find(({ kind }) => kind === 'IHDR')!;
  const size = [...words(new DataView(head.data.buffer, head.data.byteOffset).getUint32(0), new DataView(head.data.buffer, head.data.byteOffset).getUint32(4))];
  const out: Chunk[] = [head, { kind: 'acTL', data: words(pictures.length, 0) }];
  let order = 0;
  for (const picture of pictures) {
    // A fraction of a second, so that no rounding makes the film longer than its clip.
    const delay = [0, 1, fps >> 8, fps & 255];
    // At the corner, without blending: each picture replaces the one before.
    out.push({ kind: 'fcTL', data: new Uint8Array([...words(order++), ...size, ...words(0, 0), ...delay, 0, 0]) });
    for (const { kind, data } of chunksOf(picture)) {
      if (kind !== 'IDAT') continue;
      if (picture === first) out.push({ kind, data });
      else out.push({ kind: 'fdAT', data: new Uint8Array([...words(order++), ...data]) });
    }
  }
  out.push({ kind: 'IEND', data: new Uint8Array() });
  const parts = [new Uint8Array(kSignature), ...out.map(packed)];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
