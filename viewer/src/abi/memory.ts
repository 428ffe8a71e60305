// SPDX-License-Identifier: MIT
// The memory of the module: numbers, texts and structs of marrow_c.h at their addresses. Pointers and sizes have 32 bits.

/** The exports of the module that every call needs. */
export interface Core {
  readonly memory: WebAssembly.Memory;
  marrow_allocate(size: number): number;
  marrow_deallocate(address: number): void;
}

/** A value with a place in memory. */
export interface Field<T> {
  readonly size: number;
  readonly align: number;
  read(memory: Memory, at: number): T;
  write(memory: Memory, at: number, value: T): void;
}

type Values<S extends Record<string, Field<unknown>>> = { -readonly [K in keyof S]: S[K] extends Field<infer T> ? T : never };

/** The module's memory and what is allocated in it during one call. */
export class Memory {
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();
  private cached: DataView;

  constructor(readonly core: Core) {
    this.cached = new DataView(core.memory.buffer);
  }

  /** The whole memory. It moves when it grows: never keep it over a call. */
  get view(): DataView {
    if (this.cached.buffer !== this.core.memory.buffer) this.cached = new DataView(this.core.memory.buffer);
    return this.cached;
  }

  floats(at: number, count: number): Float32Array {
    return new Float32Array(this.core.memory.buffer, at, count);
  }
  integers(at: number, count: number): Uint32Array {
    return new Uint32Array(this.core.memory.buffer, at, count);
  }
  bytes(at: number, count: number): Uint8Array {
    return new Uint8Array(this.core.memory.buffer, at, count);
  }
  text(at: number, size: number): string {
    return size === 0 ? '' : this.decoder.decode(this.bytes(at, size).slice());
  }

  /** Allocates memory of the module. Throws if there is not enough. */
  allocate(size: number): number {
    const at = this.core.marrow_allocate(Math.max(size, 8));
    if (at === 0) throw new Error('There is not enough memory for this file.');
    return at;
  }

  /** Runs `work` with an allocator whose memory is freed afterwards. */
  scoped<T>(work: (scope: Scope) => T): T {
    const scope = new Scope(this, this.encoder);
    try {
      return work(scope);
    } finally {
      scope.free();
    }
  }
}

/** Memory that lives as long as one call. */
export class Scope {
  private readonly owned: number[] = [];

  constructor(
    readonly memory: Memory,
    private readonly encoder: TextEncoder,
  ) {}

  allocate(size: number): number {
    const at = this.memory.allocate(size);
    this.owned.push(at);
    return at;
  }
  /** Returns room for a struct, filled with zeros. */
  room(field: Field<unknown>, count = 1): number {
    const size = field.size * count;
    const at = this.allocate(size);
    this.memory.bytes(at, size).fill(0);
    return at;
  }
  bytes(data: Uint8Array): number {
    const at = this.allocate(data.length);
    this.memory.bytes(at, data.length).set(data);
    return at;
  }
  /** Returns a text that ends with a zero; null becomes a null pointer. */
  text(value: string | null): number {
    if (value === null) return 0;
    const data = this.encoder.encode(value);
    const at = this.allocate(data.length + 1);
    const room = this.memory.bytes(at, data.length + 1);
    room.set(data);
    room[data.length] = 0;
    return at;
  }
  /** Writes a marrow_text. */
  run(value: string): { at: number; size: number } {
    return { at: this.text(value), size: this.encoder.encode(value).length };
  }
  doubles(values: readonly number[]): number {
    const at = this.allocate(values.length * 8);
    values.forEach((value, i) => this.memory.view.setFloat64(at + i * 8, value, true));
    return at;
  }
  free(): void {
    for (const at of this.owned) this.memory.core.marrow_deallocate(at);
  }
}

const number = (
  size: number,
  read: (view: DataView, at: number) => number,
  write: (view: DataView, at: number, value: number) => void,
): Field<number> => ({
  size,
  align: size,
  read: (memory, at) => read(memory.view, at),
  write: (memory, at, value) => write(memory.view, at, value),
});

export const u32 = number(4, (v, at) => v.getUint32(at, true), (v, at, x) => v.setUint32(at, x, true));
export const i32 = number(4, (v, at) => v.getInt32(at, true), (v, at, x) => v.setInt32(at, x, true));
export const f32 = number(4, (v, at) => v.getFloat32(at, true), (v, at, x) => v.setFloat32(at, x, true));
export const f64 = number(8, (v, at) => v.getFloat64(at, true), (v, at, x) => v.setFloat64(at, x, true));

export const u64: Field<bigint> = {
  size: 8,
  align: 8,
  read: (memory, at) => memory.view.getBigUint64(at, true),
  write: (memory, at, value) => memory.view.setBigUint64(at, value, true),
};

/** A marrow_text. It is read as a copy; a text that goes in is written with `setText`. */
export const text: Field<string> = {
  size: 8,
  align: 4,
  read: (memory, at) => memory.text(memory.view.getUint32(at, true), memory.view.getUint32(at + 4, true)),
  write: () => {
    throw new Error('a text is written with setText');
  },
};

/** Points a marrow_text at a text of the scope. */
export function setText(scope: Scope, at: number, value: string): void {
  const { at: data, size } = scope.run(value);
  u32.write(scope.memory, at, data);
  u32.write(scope.memory, at + 4, size);
}

/** Floats inside a struct; they are read as a copy. */
export const floats = (count: number): Field<Float32Array> => ({
  size: 4 * count,
  align: 4,
  read: (memory, at) => memory.floats(at, count).slice(),
  write: (memory, at, value) => memory.floats(at, count).set(value.subarray(0, count)),
});

/** A struct of marrow_c.h: the fields in their order, laid out as C does. */
export interface Struct<T> extends Field<T> {
  offset(name: keyof T): number;
}

export function struct<S extends Record<string, Field<any>>>(fields: S): Struct<Values<S>> {
  let size = 0;
  let align = 1;
  const offsets = new Map<keyof S, number>();
  for (const name in fields) {
    const field = fields[name]!;
    size = Math.ceil(size / field.align) * field.align;
    offsets.set(name, size);
    size += field.size;
    align = Math.max(align, field.align);
  }
  return {
    size: Math.ceil(size / align) * align,
    align,
    offset: (name) => offsets.get(name)!,
    read(memory, at) {
      const out: Record<string, unknown> = {};
      for (const name in fields) out[name] = fields[name]!.read(memory, at + offsets.get(name)!);
      return out as Values<S>;
    },
    write(memory, at, value) {
      for (const name in fields) fields[name]!.write(memory, at + offsets.get(name)!, value[name]);
    },
  };
}
