// SPDX-License-Identifier: MIT
// Animated GIF, for places that take nothing else: one palette for the whole film, of the colours that are most in its
// first frames (median cut), and the LZW of the GIF89a specification.

/** Colours of a palette; the first is what is clear. */
const kColours = 256, kClear = 0;
const kFramesOfPalette = 12;
const kCodeBits = 8, kMostCodes = 4096;
/** Bits per channel by which colours are counted, and looked up. */
const kBits = 5;
const kLeastAlpha = 128;
/** A delay is hundredths of a second; browsers play what is shorter than two of them slowly. */
const kLeastDelay = 2;

export interface Frame {
  width: number;
  height: number;
  /** Red, green, blue, alpha, a byte each. */
  pixels: Uint8ClampedArray;
}
type Colour = readonly [number, number, number];

const cellOf = (r: number, g: number, b: number) => ((r >> (8 - kBits)) << (2 * kBits)) | ((g >> (8 - kBits)) << kBits) | (b >> (8 - kBits));

/** Colours with how often they are, cut into boxes at the median of the longest side. */
class Histogram {
  private readonly counts = new Float64Array(1 << (3 * kBits));

  add({ pixels }: Frame): void {
    for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3]! >= kLeastAlpha) ++this.counts[cellOf(pixels[i]!, pixels[i + 1]!, pixels[i + 2]!)]!;
  }
  palette(most: number): Colour[] {
    const cells: { at: Colour; count: number }[] = [];
    const side = (1 << kBits) - 1, scale = 255 / side;
    this.counts.forEach((count, cell) => count > 0 && cells.push({ at: [((cell >> (2 * kBits)) & side) * scale, ((cell >> kBits) & side) * scale, (cell & side) * scale], count }));
    const boxes = cells.length > 0 ? [cells] : [];
    const lengthOf = (box: typeof cells, k: number) => Math.max(...box.map(({ at }) => at[k]!)) - Math.min(...box.map(({ at }) => at[k]!));
    const sizeOf = (box: typeof cells) => (box.length < 2 ? 0 : Math.max(lengthOf(box, 0), lengthOf(box, 1), lengthOf(box, 2)) * Math.sqrt(box.reduce((sum, { count }) => sum + count, 0)));
    const sizes = boxes.map(sizeOf);
    while (boxes.length < most) {
      const largest = sizes.indexOf(Math.max(...sizes));
      if (largest < 0 || sizes[largest] === 0) break;
      const box = boxes[largest]!, lengths = [0, 1, 2].map((k) => lengthOf(box, k));
      const axis = lengths.indexOf(Math.max(...lengths));
      box.sort((a, b) => a.at[axis]! - b.at[axis]!);
      const half = box.reduce((sum, { count }) => sum + count, 0) / 2;
      let at = 1;
      for (let sum = box[0]!.count; at < box.length - 1 && sum + box[at]!.count <= half; ) sum += box[at++]!.count;
      const halves = [box.slice(0, at), box.slice(at)];
      boxes.splice(largest, 1, ...halves);
      sizes.splice(largest, 1, ...halves.map(sizeOf));
    }
    return boxes.map((box) => {
      const total = box.reduce((sum, { count }) => sum + count, 0);
      return [0, 1, 2].map((k) => Math.round(box.reduce((sum, { at, count }) => sum + at[k]! * count, 0) / total)) as unknown as Colour;
    });
  }
}

/** The nearest colour of a palette, remembered by cell. */
function lookUp(palette: readonly Colour[]): (r: number, g: number, b: number) => number {
  const known = new Int16Array(1 << (3 * kBits)).fill(-1);
  return (r, g, b) => {
    const cell = cellOf(r, g, b);
    if (known[cell]! >= 0) return known[cell]!;
    let best = 0, least = Infinity;
    palette.forEach(([x, y, z], i) => {
      const far = (x - r) ** 2 + (y - g) ** 2 + (z - b) ** 2;
      if (far < least) [best, least] = [i, far];
    });
    return (known[cell] = best);
  };
}

/** Bytes that grow. */
class Bytes {
  private data = new Uint8Array(1 << 16);
  private size = 0;

  put(...values: number[]): void {
    if (this.size + values.length > this.data.length) {
      const more = new Uint8Array(2 * this.data.length + values.length);
      more.set(this.data);
      this.data = more;
    }
    for (const value of values) this.data[this.size++] = value;
  }
  word(value: number): void {
    this.put(value & 255, value >> 8);
  }
  text(words: string): void {
    this.put(...[...words].map((letter) => letter.charCodeAt(0)));
  }
  get all(): Uint8Array {
    return this.data.slice(0, this.size);
  }
}

/** Writes indices as LZW codes of growing width, in blocks of up to 255 bytes. */
function compress(indices: Uint8Array, out: Bytes): void {
  const clear = 1 << kCodeBits, end = clear + 1;
  let bits = 0, held = 0, width = kCodeBits + 1, next = end + 1;
  const block: number[] = [];
  const flush = () => block.length > 0 && (out.put(block.length, ...block), (block.length = 0));
  const write = (code: number) => {
    held |= code << bits;
    for (bits += width; bits >= 8; bits -= 8, held >>>= 8) {
      block.push(held & 255);
      if (block.length === 255) flush();
    }
  };
  let codes = new Map<number, number>();
  out.put(kCodeBits);
  write(clear);
  let prefix = indices[0] ?? 0;
  for (let i = 1; i < indices.length; ++i) {
    const value = indices[i]!, key = (prefix << 8) | value, known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix);
    prefix = value;
    if (next === kMostCodes) {
      write(clear);
      [codes, width, next] = [new Map(), kCodeBits + 1, end + 1];
      continue;
    }
    codes.set(key, next);
    // The reader is one code behind: its width grows with the code after this one.
    if (next++ === 1 << width) ++width;
  }
  write(prefix);
  write(end);
  if (bits > 0) block.push(held & 255);
  flush();
  out.put(0);
}

/** Makes one picture that moves of pictures of one size, for ever. What is less than half opaque is clear. */
export class Gif {
  private readonly out = new Bytes();
  /** Frames that the palette is made of: they wait until there are enough of them. */
  private waiting: Frame[] = [];
  private nearest: ((r: number, g: number, b: number) => number) | null = null;
  private count = 0;

  constructor(private readonly milliseconds: number) {}

  add(frame: Frame): void {
    if (this.nearest) return this.write(frame);
    this.waiting.push(frame);
    if (this.waiting.length === kFramesOfPalette) this.begin();
  }
  finish(): Uint8Array {
    if (this.waiting.length > 0) this.begin();
    if (this.count === 0) throw new Error('There is no picture.');
    this.out.put(0x3b);
    return this.out.all;
  }

  private begin(): void {
    const { out, waiting } = this;
    const { width, height } = waiting[0]!;
    const histogram = new Histogram();
    for (const frame of waiting) histogram.add(frame);
    const palette = histogram.palette(kColours - 1);
    this.nearest = lookUp(palette);
    out.text('GIF89a');
    out.word(width);
    out.word(height);
    out.put(0xf7, kClear, 0, 0, 0, 0);
    for (let i = 0; i < kColours - 1; ++i) out.put(...(palette[i] ?? [0, 0, 0]));
    out.put(0x21, 0xff, 11);
    out.text('NETSCAPE2.0');
    out.put(3, 1, 0, 0, 0);
    this.waiting = [];
    for (const frame of waiting) this.write(frame);
  }
  private write({ width, height, pixels }: Frame): void {
    const { out, milliseconds } = this, nearest = this.nearest!;
    const indices = new Uint8Array(width * height);
    for (let i = 0; i < indices.length; ++i) indices[i] = pixels[4 * i + 3]! < kLeastAlpha ? kClear : 1 + nearest(pixels[4 * i]!, pixels[4 * i + 1]!, pixels[4 * i + 2]!);
    // Delays are whole hundredths: what rounding takes from one frame, the next gets.
    const k = this.count++;
    const delay = Math.max(kLeastDelay, Math.round(((k + 1) * milliseconds) / 10) - Math.round((k * milliseconds) / 10));
    out.put(0x21, 0xf9, 4, (2 << 2) | 1);
    out.word(delay);
    out.put(kClear, 0, 0x2c, 0, 0, 0, 0);
    out.word(width);
    out.word(height);
    out.put(0);
    compress(indices, out);
  }
}
