// SPDX-License-Identifier: MIT
// The C ABI with types: one class per kind of handle. It translates; it decides nothing.
import { Archive } from './archive';
import { Document } from './document';
import { MarrowError } from './error';
import * as layout from './layout';
import { Memory, Scope, Field, text, u32 } from './memory';
import { Exports, instantiate } from './module';
import type { Cure, Description, Report } from './reports';
import { Rig } from './rig';
import { Handle, Environment, Input, Result } from './values';

export { Document, Sampler, shapesOf } from './document';
export { Rig, Simulation } from './rig';
export * from './values';

const kNoOffset = 0xffffffffffffffffn;

/** The library. */
export class Marrow {
  readonly memory: Memory;

  private constructor(private readonly exports: Exports) {
    this.memory = new Memory(exports);
    const version = this.plain('marrow_abi_version');
    if (version !== layout.kAbiVersion) throw new Error(`This page is for ABI ${layout.kAbiVersion}, not ${version}.`);
  }
  /** Starts the library. `rest` gives the part that was split off, when it is first needed. */
  static async start(bytes: BufferSource, rest?: () => WebAssembly.Module): Promise<Marrow> {
    return new Marrow(await instantiate(bytes, rest));
  }

  private plain(name: string, ...values: unknown[]): number {
    return (this.exports[name] as unknown as (...values: unknown[]) => number)(...values);
  }
  /** Calls a function that returns a status, and throws what went wrong. */
  call(name: string, ...values: unknown[]): void {
    if (this.plain(name, ...values) !== 0) throw this.lastError();
  }
  private lastError(): MarrowError {
    return this.memory.scoped((scope) => {
      const at = scope.room(layout.errorStruct);
      this.plain('marrow_last_error', at);
      const error = layout.errorStruct.read(this.memory, at);
      const offset = error.offset === kNoOffset ? null : Number(error.offset);
      const words = scope.allocate(8);
      this.plain('marrow_last_cure', words);
      const cure = text.read(this.memory, words);
      return new MarrowError(error.message, error.name, error.code, offset, error.path, error.file, cure ? (JSON.parse(cure) as Cure) : null);
    });
  }
  /** Calls `name(...values, out)` and reads the struct. */
  get<T>(struct: Field<T>, name: string, ...values: unknown[]): T {
    return this.memory.scoped((scope) => {
      const at = scope.room(struct);
      this.call(name, ...values, at);
      return struct.read(this.memory, at);
    });
  }
  /** Calls `name(...values, out, capacity, count)` and reads the list. */
  list<T>(struct: Field<T>, name: string, ...values: unknown[]): T[] {
    return this.memory.scoped((scope) => {
      const count = scope.room(u32);
      this.call(name, ...values, 0, 0, count);
      const capacity = u32.read(this.memory, count);
      const at = scope.room(struct, capacity);
      this.call(name, ...values, at, capacity, count);
      return Array.from({ length: capacity }, (_, i) => struct.read(this.memory, at + i * struct.size));
    });
  }
  /** Calls `name(...values, out)` and returns the handle. */
  open(scope: Scope, name: string, ...values: unknown[]): Handle {
    const at = scope.allocate(8);
    this.call(name, ...values, at);
    return this.memory.view.getBigUint64(at, true);
  }
  release(handle: Handle): void {
    this.call('marrow_release', handle);
  }
  openHandles(): number {
    return this.plain('marrow_open_handles');
  }
  version(): string {
    const at = this.plain('marrow_version');
    const bytes = new Uint8Array(this.memory.core.memory.buffer, at);
    return this.memory.text(at, bytes.indexOf(0));
  }

  describe(): Description {
    return this.memory.scoped((scope) => {
      const at = scope.allocate(8);
      this.plain('marrow_describe', at);
      return JSON.parse(this.memory.text(u32.read(this.memory, at), u32.read(this.memory, at + 4))) as Description;
    });
  }

  detect(bytes: Uint8Array): string {
    return this.memory.scoped((scope) => {
      const out = scope.allocate(8);
      this.call('marrow_detect', scope.bytes(bytes), bytes.length, out);
      return this.memory.text(u32.read(this.memory, out), u32.read(this.memory, out + 4));
    });
  }
  load(bytes: Uint8Array, name: string): Document {
    return this.memory.scoped(
      (scope) =>
        new Document(this, this.open(scope, 'marrow_load', scope.bytes(bytes), bytes.length, scope.text(name), 0)),
    );
  }

  /** Opens an archive of a game as a folder. */
  openArchive(bytes: Uint8Array): Archive {
    return this.memory.scoped((scope) => new Archive(this, this.open(scope, 'marrow_open_archive', 0, scope.bytes(bytes), bytes.length, 0)));
  }

  /** Runs an operation by name. */
  run<R = Report>(operation: string, options: Record<string, unknown>, inputs: readonly Input[], outputName?: string): Result<R> {
    return this.memory.scoped((scope) => {
      const words = [scope.text(operation), scope.text(JSON.stringify(options)), this.listOf(scope, inputs), inputs.length] as const;
      return this.take<R>(this.open(scope, 'marrow_run', ...words, scope.text(outputName ?? null), 0));
    });
  }
  /** Changes a document by an operation, in memory: nothing is encoded before it is saved. `inputs` are the others. */
  apply<R = Report>(document: Document, operation: string, options: Record<string, unknown>, inputs: readonly Input[] = []): Result<R> {
    return this.memory.scoped((scope) => {
      const words = [scope.text(operation), scope.text(JSON.stringify(options)), this.listOf(scope, inputs), inputs.length] as const;
      return this.take<R>(this.open(scope, 'marrow_apply', document.handle, ...words, 0));
    });
  }
  /** Writes a document in its own format: its first file. What nobody changed is written as it was. */
  save(document: Document): Uint8Array {
    return this.memory.scoped((scope) => this.take(this.open(scope, 'marrow_save', document.handle, 0, 0, 0))).files[0]!.bytes;
  }
  copy(document: Document): Document {
    return this.memory.scoped((scope) => new Document(this, this.open(scope, 'marrow_copy_document', document.handle)));
  }
  private listOf(scope: Scope, inputs: readonly Input[]): number {
    const { inputStruct } = layout;
    const list = scope.room(inputStruct, inputs.length);
    inputs.forEach((input, i) =>
      inputStruct.write(this.memory, list + i * inputStruct.size, {
        role: scope.text(input.role),
        name: scope.text(input.name),
        bytes: input.bytes ? scope.bytes(input.bytes) : 0,
        byteCount: input.bytes?.length ?? 0,
        document: input.document?.handle ?? 0n,
      }),
    );
    return list;
  }
  private take<R = Report>(result: Handle): Result<R> {
    try {
      return this.readResult<R>(result);
    } finally {
      this.release(result);
    }
  }
  private readResult<R>(result: Handle): Result<R> {
    const info = this.get(layout.resultStruct, 'marrow_get_result', result);
    const files = Array.from({ length: info.fileCount }, (_, i) => {
      const file = this.get(layout.fileStruct, 'marrow_get_file', result, i);
      return { name: file.name, extension: file.extension, bytes: this.memory.bytes(file.bytes, file.byteCount).slice() };
    });
    return { report: JSON.parse(info.report || '{}'), notes: JSON.parse(info.notes || '[]'), files, found: info.found !== 0 };
  }

  /** Writes a pose relative to the model, of one relative to each parent. */
  poseToModel(parents: Int32Array, local: Float32Array, model: Float32Array): void {
    this.memory.scoped((scope) => {
      const bones = scope.allocate(parents.byteLength);
      const pose = scope.allocate(local.byteLength);
      this.memory.integers(bones, parents.length).set(parents);
      this.memory.floats(pose, local.length).set(local);
      this.call('marrow_pose_to_model', bones, pose, pose, parents.length);
      model.set(this.memory.floats(pose, local.length));
    });
  }

  materialColour(material: number): [number, number, number] {
    return this.memory.scoped((scope) => {
      const at = scope.allocate(12);
      this.call('marrow_get_material_colour', material, at);
      return [...this.memory.floats(at, 3)] as [number, number, number];
    });
  }

  openRig(skeleton: Document, addons: readonly Document[], modifiers: string | null, options: Record<string, unknown>): Rig {
    return this.memory.scoped((scope) => {
      const list = scope.allocate(8 * addons.length);
      addons.forEach((addon, i) => this.memory.view.setBigUint64(list + 8 * i, addon.handle, true));
      const words = [scope.text(modifiers), scope.text(JSON.stringify(options))];
      return new Rig(this, this.open(scope, 'marrow_open_rig', skeleton.handle, list, addons.length, ...words, 0));
    });
  }
  defaultEnvironment(): Environment {
    return this.memory.scoped((scope) => {
      const at = scope.room(layout.environmentStruct);
      this.plain('marrow_default_environment', at);
      return layout.environmentStruct.read(this.memory, at);
    });
  }
}
