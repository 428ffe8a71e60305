// SPDX-License-Identifier: MIT
// A wasm module as sections and functions, and the same module with its functions in another order. Instructions that
// are not known are refused: what is written is always whole.

/** Returns a number in as few bytes as it takes. */
export function leb(value) {
  const bytes = [];
  do {
    bytes.push((value & 127) | (value > 127 ? 128 : 0));
    value >>>= 7;
  } while (value > 0);
  return bytes;
}

class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  get done() {
    return this.at >= this.bytes.length;
  }
  byte() {
    return this.bytes[this.at++];
  }
  /** Reads a number of up to 32 bits. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }
  /** Skips a number of any length. */
  skipNumber() {
    while (this.byte() >= 128);
  }
  take(size) {
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }
}

const kCode = 10;

/** Splits a module. */
export function sections(bytes) {
  const module = { head: bytes.subarray(0, 8), sections: [], bodies: [], importedFunctions: 0 };
  for (const reader = new Reader(bytes, 8); !reader.done; ) {
    const id = reader.byte();
    const content = reader.take(reader.number());
    module.sections.push({ id, content });
    if (id === 2) module.importedFunctions = countImports(new Reader(content));
    if (id === kCode) {
      const code = new Reader(content);
      for (let left = code.number(); left > 0; --left) module.bodies.push(code.take(code.number()));
    }
  }
  return module;
}

function countImports(reader) {
  let functions = 0;
  for (let left = reader.number(); left > 0; --left) {
    reader.take(reader.number());
    reader.take(reader.number());
    if (reader.byte() !== 0) throw new Error('an import that is not a function');
    reader.number();
    ++functions;
  }
  return functions;
}

/** Writes a module whose function `order[i]` of the old one comes `i`th. `numberOf[old]` is what to call it by. */
export function renumbered(module, order, numberOf) {
  const contentOf = {
    3: (content) => {
      const reader = new Reader(content);
      const types = Array.from({ length: reader.number() }, () => reader.number());
      return Buffer.from([...leb(types.length), ...order.flatMap((old) => leb(types[old]))]);
    },
    7: (content) => exportsOf(new Reader(content), numberOf),
    9: (content) => elementsOf(new Reader(content), numberOf),
    [kCode]: () => {
      const bodies = order.flatMap((old) => {
        const body = bodyOf(module.bodies[old], numberOf);
        return [Buffer.from(leb(body.length)), body];
      });
      return Buffer.concat([Buffer.from(leb(order.length)), ...bodies]);
    },
  };
  const parts = [module.head];
  for (const { id, content } of module.sections) {
    if (id === 0) continue; // names and producers
    if (id === 8) throw new Error('a start function');
    const fresh = contentOf[id] ? contentOf[id](content) : content;
    parts.push(Buffer.from([id, ...leb(fresh.length)]), fresh);
  }
  return Buffer.concat(parts);
}

function exportsOf(reader, numberOf) {
  const parts = [Buffer.from(leb(reader.number()))];
  while (!reader.done) {
    const name = reader.take(reader.number());
    const kind = reader.byte();
    const index = reader.number();
    parts.push(Buffer.from(leb(name.length)), name, Buffer.from([kind, ...leb(kind === 0 ? numberOf[index] : index)]));
  }
  return Buffer.concat(parts);
}

function elementsOf(reader, numberOf) {
  const out = leb(reader.number());
  while (!reader.done) {
    if (reader.byte() !== 0 || reader.byte() !== 0x41) throw new Error('a table that is not of functions');
    const start = reader.at;
    reader.skipNumber();
    out.push(0, 0x41, ...reader.bytes.subarray(start, reader.at));
    if (reader.byte() !== 0x0b) throw new Error('a table whose place is computed');
    const count = reader.number();
    out.push(0x0b, ...leb(count));
    for (let i = 0; i < count; ++i) out.push(...leb(numberOf[reader.number()]));
  }
  return Buffer.from(out);
}

// What follows an instruction: n a number, b a byte, t a block type, m an address, f and d constants, c a function.
const kFollows = (() => {
  const follows = new Array(256).fill(null);
  const set = (codes, what) => codes.forEach((code) => (follows[code] = what));
  const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  set([0x00, 0x01, 0x05, 0x0b, 0x0f, 0x19, 0x1a, 0x1b, 0xd1, ...range(0x45, 0xc4)], '');
  set([0x02, 0x03, 0x04, 0x06], 't');
  set([0x07, 0x08, 0x09, 0x0c, 0x0d, 0x18, ...range(0x20, 0x26), 0x41, 0x42, 0xd0], 'n');
  set([0x10, 0xd2], 'c');
  set([0x11], 'nn');
  set(range(0x28, 0x3e), 'm');
  set([0x3f, 0x40], 'b');
  set([0x43], 'f');
  set([0x44], 'd');
  return follows;
})();

function afterMisc(code) {
  if (code <= 7) return '';
  const follows = { 8: 'nb', 9: 'n', 10: 'bb', 11: 'b', 12: 'nn', 13: 'n', 14: 'nn', 15: 'n', 16: 'n', 17: 'n' }[code];
  if (follows === undefined) throw new Error(`instruction 0xfc ${code}`);
  return follows;
}

function afterVector(code) {
  if (code <= 11 || code === 92 || code === 93) return 'm';
  if (code === 12 || code === 13) return 'v';
  if (code >= 21 && code <= 34) return 'b';
  if (code >= 84 && code <= 91) return 'mb';
  if (code > 255) throw new Error(`instruction 0xfd ${code}`);
  return '';
}

/** Returns the body of a function that calls others by their new numbers. */
function bodyOf(body, numberOf) {
  const reader = new Reader(body);
  const parts = [];
  let kept = 0;
  for (let left = reader.number(); left > 0; --left) {
    reader.skipNumber();
    reader.skipNumber();
  }
  const skip = {
    n: () => reader.skipNumber(),
    t: () => reader.skipNumber(),
    b: () => reader.byte(),
    m: () => (reader.skipNumber(), reader.skipNumber()),
    f: () => reader.take(4),
    d: () => reader.take(8),
    v: () => reader.take(16),
    c: () => {
      parts.push(body.subarray(kept, reader.at));
      parts.push(Buffer.from(leb(numberOf[reader.number()])));
      kept = reader.at;
    },
  };
  while (!reader.done) {
    const code = reader.byte();
    let follows = kFollows[code];
    if (code === 0xfc) follows = afterMisc(reader.number());
    if (code === 0xfd) follows = afterVector(reader.number());
    if (code === 0x0e) follows = 'n'.repeat(reader.number() + 1);
    if (code === 0x1c) follows = 'n'.repeat(reader.number());
    if (follows === null || follows === undefined) throw new Error(`instruction ${code}`);
    for (const what of follows) skip[what]();
  }
  parts.push(body.subarray(kept));
  return Buffer.concat(parts);
}
