// SPDX-License-Identifier: MIT
// Starts the module. It was compiled for wasi, of which it needs next to nothing: there is no disk, no clock that
// matters, and nothing is printed.
import { Core } from './memory';

/** The functions of marrow_c.h as the module exports them: pointers are numbers, handles are big integers. */
export type Exports = Core & Record<string, (...values: never[]) => never>;

const kBadDescriptor = 8;

/** Answers of a system that has nothing. Whatever the module asks for beyond them is refused. */
function emptySystem(memory: () => WebAssembly.Memory, names: Iterable<string>): Record<string, Function> {
  const words = (...pairs: [number, number][]): number => {
    const view = new DataView(memory().buffer);
    for (const [at, value] of pairs) view.setUint32(at, value, true);
    return 0;
  };
  const system: Record<string, Function> = {};
  for (const name of names) system[name] = () => kBadDescriptor;
  return Object.assign(system, {
    environ_sizes_get: (count: number, size: number) => words([count, 0], [size, 0]),
    environ_get: () => 0,
    args_sizes_get: (count: number, size: number) => words([count, 0], [size, 0]),
    args_get: () => 0,
    clock_time_get: (_clock: number, _precision: bigint, at: number) => words([at, 0], [at + 4, 0]),
    random_get: (at: number, size: number) => {
      new Uint8Array(memory().buffer, at, size).fill(0);
      return 0;
    },
    proc_exit: (code: number) => {
      throw new Error(`The library stopped with code ${code}.`);
    },
  });
}

/** Instantiates the module of Marrow from its bytes. */
export async function instantiate(bytes: BufferSource): Promise<Exports> {
  const module = await WebAssembly.compile(bytes);
  let memory: WebAssembly.Memory;
  const imports: Record<string, Record<string, Function>> = {};
  const wanted = new Map<string, string[]>();
  for (const each of WebAssembly.Module.imports(module))
    wanted.set(each.module, [...(wanted.get(each.module) ?? []), each.name]);
  for (const [name, functions] of wanted) imports[name] = emptySystem(() => memory, functions);
  const instance = await WebAssembly.instantiate(module, imports as WebAssembly.Imports);
  const exports = instance.exports as unknown as Exports;
  memory = exports.memory;
  (exports as unknown as { _initialize?: () => void })._initialize?.();
  return exports;
}
