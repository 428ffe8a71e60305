// SPDX-License-Identifier: MIT
// The C ABI with types: one class per kind of handle. It translates; it decides nothing.
import { MarrowError } from './error';
import * as layout from './layout';
import { Memory, Scope, Struct, Field, setText, u32 } from './memory';
import { Exports, instantiate } from './module';
import type { Description, Report } from './reports';

type Handle = bigint;
type Value<F> = F extends Field<infer T> ? T : never;

export type DocumentInfo = Value<typeof layout.documentStruct>;
export type SkeletonInfo = Value<typeof layout.skeletonStruct>;
export type Bone = Value<typeof layout.boneStruct>;
export type FloatSlot = Value<typeof layout.floatSlotStruct>;
export type ClipInfo = Value<typeof layout.clipStruct>;
export type Annotation = Value<typeof layout.annotationStruct>;
export type CollisionInfo = Value<typeof layout.collisionStruct>;
export type Body = Value<typeof layout.bodyStruct>;
export type Joint = Value<typeof layout.jointStruct>;
export type Modifier = Value<typeof layout.modifierStruct>;
export type Environment = Value<typeof layout.environmentStruct>;

export interface RootMotion {
  /** x, y, z and the turn, once per sample. */
  samples: Float32Array;
  durationSeconds: number;
}
export interface Mesh {
  name: string;
  placement: Float32Array;
  vertices: Float32Array;
  triangles: Uint32Array;
  materials: Uint32Array | null;
}
export interface Input {
  role: string;
  name: string;
  bytes?: Uint8Array;
  document?: Document;
}
export interface OutputFile {
  name: string;
  extension: string;
  bytes: Uint8Array;
}
export interface Result<R> {
  report: R;
  notes: { message: string; path?: string }[];
  files: OutputFile[];
  found: boolean;
}
export const enum Surface {
  Meshes = 0,
  Collision = 1,
  Solid = 2,
}
export const enum Space {
  Local = 0,
  Model = 1,
}

const kNoOffset = 0xffffffffffffffffn;

/** The library. */
export class Marrow {
  readonly memory: Memory;

  private constructor(private readonly exports: Exports) {
    this.memory = new Memory(exports);
    const version = this.plain('marrow_abi_version');
    if (version !== layout.kAbiVersion) throw new Error(`This page is for ABI ${layout.kAbiVersion}, not ${version}.`);
  }
  static async start(bytes: BufferSource): Promise<Marrow> {
    return new Marrow(await instantiate(bytes));
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
      return new MarrowError(error.message, error.name, error.code, offset, error.path, error.file);
    });
  }
  /** Calls `name(...values, out)` and reads the struct. */
  get<T>(struct: Struct<T>, name: string, ...values: unknown[]): T {
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

  /** Runs an operation by name. */
  run<R = Report>(operation: string, options: Record<string, unknown>, inputs: readonly Input[], outputName?: string): Result<R> {
    return this.memory.scoped((scope) => {
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
      const json = scope.text(JSON.stringify(options));
      const stem = scope.text(outputName ?? null);
      const result = this.open(scope, 'marrow_run', scope.text(operation), json, list, inputs.length, stem, 0);
      try {
        return this.readResult<R>(result);
      } finally {
        this.release(result);
      }
    });
  }
  private readResult<R>(result: Handle): Result<R> {
    const info = this.get(layout.resultStruct, 'marrow_get_result', result);
    const files = Array.from({ length: info.fileCount }, (_, i) => {
      const file = this.get(layout.fileStruct, 'marrow_get_file', result, i);
      return { name: file.name, extension: file.extension, bytes: this.memory.bytes(file.bytes, file.byteCount).slice() };
    });
    return { report: JSON.parse(info.report || '{}'), notes: JSON.parse(info.notes || '[]'), files, found: info.found !== 0 };
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

/** Anything that is freed with `release`, once. */
class Owned {
  private released = false;

  constructor(
    readonly marrow: Marrow,
    readonly handle: Handle,
  ) {}
  release(): void {
    if (!this.released) this.marrow.release(this.handle);
    this.released = true;
  }
}

/** A file as values. */
export class Document extends Owned {
  info(): DocumentInfo {
    return this.marrow.get(layout.documentStruct, 'marrow_get_document', this.handle);
  }
  skeleton(index: number): SkeletonInfo {
    return this.marrow.get(layout.skeletonStruct, 'marrow_get_skeleton', this.handle, index);
  }
  bones(skeleton: number): Bone[] {
    return this.marrow.list(layout.boneStruct, 'marrow_get_bones', this.handle, skeleton);
  }
  floatSlots(skeleton: number): FloatSlot[] {
    return this.marrow.list(layout.floatSlotStruct, 'marrow_get_float_slots', this.handle, skeleton);
  }
  clip(index: number): ClipInfo {
    return this.marrow.get(layout.clipStruct, 'marrow_get_clip', this.handle, index);
  }
  /** Copies all frames of a clip: ten floats per track and frame, and the float tracks. */
  frames(clip: number): { data: Float32Array; floats: Float32Array; frameCount: number; trackCount: number; floatTrackCount: number } {
    const frames = this.marrow.get(layout.framesStruct, 'marrow_get_frames', this.handle, clip, 0);
    const { memory } = this.marrow;
    const { frameCount, trackCount, floatTrackCount } = frames;
    const data = memory.floats(frames.data, frameCount * trackCount * 10).slice();
    const floats = frames.floats ? memory.floats(frames.floats, frameCount * floatTrackCount).slice() : new Float32Array();
    return { data, floats, frameCount, trackCount, floatTrackCount };
  }
  /** The bone of each track; empty if track i moves bone i. */
  tracks(clip: number): { bones: number[]; slots: number[] } {
    const tracks = this.marrow.get(layout.tracksStruct, 'marrow_get_tracks', this.handle, clip);
    const shorts = (at: number, count: number) =>
      count === 0 ? [] : [...new Int16Array(this.marrow.memory.core.memory.buffer, at, count)];
    return { bones: shorts(tracks.bones, tracks.boneCount), slots: shorts(tracks.slots, tracks.slotCount) };
  }
  annotations(clip: number): Annotation[] {
    return this.marrow.list(layout.annotationStruct, 'marrow_get_annotations', this.handle, clip);
  }
  setAnnotations(clip: number, annotations: readonly Annotation[]): void {
    const { annotationStruct } = layout;
    this.marrow.memory.scoped((scope) => {
      const list = scope.room(annotationStruct, annotations.length);
      annotations.forEach((annotation, i) => {
        const at = list + i * annotationStruct.size;
        setText(scope, at, annotation.text);
        this.marrow.memory.view.setFloat32(at + annotationStruct.offset('time'), annotation.time, true);
        this.marrow.memory.view.setUint32(at + annotationStruct.offset('track'), annotation.track, true);
      });
      this.marrow.call('marrow_set_annotations', this.handle, clip, list, annotations.length);
    });
  }
  rootMotion(clip: number): RootMotion | null {
    const motion = this.marrow.get(layout.rootMotionStruct, 'marrow_get_root_motion', this.handle, clip);
    if (motion.sampleCount === 0) return null;
    return {
      samples: this.marrow.memory.floats(motion.samples, motion.sampleCount * 4).slice(),
      durationSeconds: motion.durationSeconds,
    };
  }
  sampler(clip: number, skeletonDocument: Document | null, skeleton: number): Sampler {
    return this.marrow.memory.scoped(
      (scope) =>
        new Sampler(
          this.marrow,
          this.marrow.open(scope, 'marrow_open_sampler', this.handle, clip, skeletonDocument?.handle ?? 0n, skeleton, 0),
        ),
    );
  }
  localToModel(skeleton: number, local: Float32Array): Float32Array {
    return this.marrow.memory.scoped((scope) => {
      const at = scope.allocate(local.byteLength);
      this.marrow.memory.floats(at, local.length).set(local);
      this.marrow.call('marrow_local_to_model', this.handle, skeleton, at, at, local.length / 10);
      return this.marrow.memory.floats(at, local.length).slice();
    });
  }
  collision(system: number): CollisionInfo {
    return this.marrow.get(layout.collisionStruct, 'marrow_get_collision', this.handle, system);
  }
  bodies(system: number): Body[] {
    return this.marrow.list(layout.bodyStruct, 'marrow_get_bodies', this.handle, system);
  }
  joints(system: number): Joint[] {
    return this.marrow.list(layout.jointStruct, 'marrow_get_joints', this.handle, system);
  }
  /** Copies the surfaces of the document. */
  meshes(surface: Surface): Mesh[] {
    return this.marrow.memory.scoped((scope) => {
      const { memory } = this.marrow;
      const meshes = this.marrow.open(scope, 'marrow_open_meshes', this.handle, surface, 0);
      try {
        const count = scope.room(u32);
        this.marrow.call('marrow_get_mesh_count', meshes, count);
        return Array.from({ length: u32.read(memory, count) }, (_, i) => {
          const mesh = this.marrow.get(layout.meshStruct, 'marrow_get_mesh', meshes, i);
          return {
            name: mesh.name,
            placement: mesh.placement,
            vertices: memory.floats(mesh.vertices, mesh.vertexCount * 3).slice(),
            triangles: memory.integers(mesh.triangles, mesh.triangleCount * 3).slice(),
            materials: mesh.materials ? memory.integers(mesh.materials, mesh.triangleCount).slice() : null,
          };
        });
      } finally {
        this.marrow.release(meshes);
      }
    });
  }
}

/** Memory of the module that is written to again and again, without allocating. */
class Buffer {
  private at = 0;
  private size = 0;

  constructor(private readonly memory: Memory) {}
  address(count: number): number {
    if (count > this.size) {
      this.free();
      this.at = this.memory.allocate(count * 4);
      this.size = count;
    }
    return this.at;
  }
  free(): void {
    if (this.at) this.memory.core.marrow_deallocate(this.at);
    this.at = this.size = 0;
  }
}

/** A clip, ready to be sampled. */
export class Sampler extends Owned {
  private readonly buffer = new Buffer(this.marrow.memory);

  private read(name: string, frame: number, count: number, out: Float32Array, ...space: number[]): void {
    const at = this.buffer.address(count);
    this.marrow.call(name, this.handle, frame, ...space, at, count);
    out.set(this.marrow.memory.floats(at, count));
  }
  tracks(frame: number, out: Float32Array): void {
    this.read('marrow_sample', frame, out.length, out);
  }
  floats(frame: number, out: Float32Array): void {
    this.read('marrow_sample_floats', frame, out.length, out);
  }
  pose(frame: number, space: Space, out: Float32Array): void {
    this.read('marrow_sample_pose', frame, out.length, out, space);
  }
  override release(): void {
    this.buffer.free();
    super.release();
  }
}

/** A skeleton with bone modifiers. */
export class Rig extends Owned {
  info(): Value<typeof layout.rigStruct> {
    return this.marrow.get(layout.rigStruct, 'marrow_get_rig', this.handle);
  }
  bones(): Bone[] {
    return this.marrow.list(layout.boneStruct, 'marrow_get_rig_bones', this.handle);
  }
  modifiers(): Modifier[] {
    return this.marrow.list(layout.modifierStruct, 'marrow_get_modifiers', this.handle);
  }
  field(modifier: number, field: string): number[] {
    return this.marrow.memory.scoped((scope) => {
      const { memory } = this.marrow;
      const count = scope.room(u32);
      const name = scope.text(field);
      this.marrow.call('marrow_get_field', this.handle, modifier, name, 0, 0, count);
      const capacity = u32.read(memory, count);
      const at = scope.allocate(8 * capacity);
      this.marrow.call('marrow_get_field', this.handle, modifier, name, at, capacity, count);
      return Array.from({ length: capacity }, (_, i) => memory.view.getFloat64(at + 8 * i, true));
    });
  }
  setField(modifier: number, field: string, values: readonly number[]): void {
    this.marrow.memory.scoped((scope) =>
      this.marrow.call('marrow_set_field', this.handle, modifier, scope.text(field), scope.doubles(values), values.length),
    );
  }
  simulation(): Simulation {
    const bones = this.info().boneCount;
    return this.marrow.memory.scoped(
      (scope) => new Simulation(this.marrow, this.marrow.open(scope, 'marrow_open_simulation', this.handle), bones),
    );
  }
}

/** One character with a rig, between frames. */
export class Simulation extends Owned {
  private readonly input = new Buffer(this.marrow.memory);
  private readonly output = new Buffer(this.marrow.memory);
  private readonly environment = this.marrow.memory.allocate(layout.environmentStruct.size);

  constructor(
    marrow: Marrow,
    handle: Handle,
    readonly boneCount: number,
  ) {
    super(marrow, handle);
  }
  /** Simulates one frame: ten floats per bone in and out, local. */
  step(environment: Environment, seconds: number, input: Float32Array, output: Float32Array): void {
    const { memory } = this.marrow;
    layout.environmentStruct.write(memory, this.environment, environment);
    const from = this.input.address(input.length);
    const to = this.output.address(output.length);
    memory.floats(from, input.length).set(input);
    this.marrow.call('marrow_step', this.handle, this.environment, seconds, from, 0, to, this.boneCount);
    output.set(memory.floats(to, output.length));
  }
  reset(): void {
    this.marrow.call('marrow_reset', this.handle);
  }
  override release(): void {
    this.input.free();
    this.output.free();
    this.marrow.memory.core.marrow_deallocate(this.environment);
    super.release();
  }
}
