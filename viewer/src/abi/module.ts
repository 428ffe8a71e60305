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

/** The functions that are not in the core: each loads the rest when it is first called, which puts the real ones into the
 *  table. */
function placeholders(names: Iterable<string>, exports: () => Exports, rest: () => WebAssembly.Module): Record<string, Function> {
  let isLoaded = false;
  const functions: Record<string, Function> = {};
  for (const name of names) {
    const index = Number(name);
    functions[name] = (...values: never[]) => {
      const primary = exports() as unknown as Record<string, WebAssembly.ExportValue>;
      if (!isLoaded) new WebAssembly.Instance(rest(), { primary });
      isLoaded = true;
      return ((primary['%table'] as WebAssembly.Table).get(index) as (...values: never[]) => unknown)(...values);
    };
  }
  return functions;
}

/** Instantiates the module of Marrow from its bytes. `rest` gives what was split off, when it is first needed. */
export async function instantiate(bytes: BufferSource, rest?: () => WebAssembly.Module): Promise<Exports> {
  const module = await WebAssembly.compile(bytes);
  let exports: Exports;
  const imports: Record<string, Record<string, Function>> = {};
  const wanted = new Map<string, string[]>();
  for (const each of WebAssembly.Module.imports(module)) {
    const names = wanted.get(each.module);
    if (names) names.push(each.name);
    else wanted.set(each.module, [each.name]);
  }
  for (const [name, functions] of wanted)
    imports[name] = name === 'placeholder' && rest ? placeholders(functions, () => exports, rest) : emptySystem(() => exports.memory, functions);
  const instance = await WebAssembly.instantiate(module, imports as WebAssembly.Imports);
  exports = instance.exports as unknown as Exports;
  (exports as unknown as { _initialize?: () => void })._initialize?.();
  return exports;
}
