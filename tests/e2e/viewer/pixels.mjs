// SPDX-License-Identifier: MIT
// PNG files as pixels, as far as browsers write them: eight bits, RGB or RGBA, not interlaced.
import { inflateSync } from 'node:zlib';

export function decodePng(data) {
  let at = 8, width = 0, height = 0, channels = 0;
  const parts = [];
  while (at < data.length) {
    const size = data.readUInt32BE(at), kind = data.toString('latin1', at + 4, at + 8), body = data.subarray(at + 8, at + 8 + size);
    if (kind === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = { 2: 3, 6: 4 }[body[9]];
      if (body[8] !== 8 || !channels || body[12] !== 0) throw new Error('not a PNG as browsers write it');
    }
    if (kind === 'IDAT') parts.push(body);
    at += 12 + size;
  }
  const raw = inflateSync(Buffer.concat(parts)), stride = width * channels;
  const pixels = new Uint8Array(height * stride);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? pixels[y * stride + x - channels] : 0;
      const up = y > 0 ? pixels[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels] : 0;
      const paeth = () => {
        const p = left + up - corner, a = Math.abs(p - left), b = Math.abs(p - up), c = Math.abs(p - corner);
        return a <= b && a <= c ? left : b <= c ? up : corner;
      };
      const guess = [0, left, up, (left + up) >> 1, filter === 4 ? paeth() : 0][filter];
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return { width, height, channels, pixels };
}

/** Share of the pixels of two pictures that are clearly not the same; 1 if the sizes differ. */
export async function differ(one, two, tolerance = 24) {
  const a = decodePng(one), b = decodePng(two);
  if (a.width !== b.width || a.height !== b.height) return 1;
  let count = 0;
  for (let i = 0; i < a.width * a.height; ++i)
    for (let k = 0; k < 3; ++k)
      if (Math.abs(a.pixels[i * a.channels + k] - b.pixels[i * b.channels + k]) > tolerance) {
        ++count;
        break;
      }
  return count / (a.width * a.height);
}
