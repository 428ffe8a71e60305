// SPDX-License-Identifier: MIT
// Documents, and clips that are sampled.
import { MarrowError } from './error';
import * as layout from './layout';
import { setText, text, u32 } from './memory';
import { Buffer, Owned } from './owned';
import { DocumentInfo, SkeletonInfo, Bone, FloatSlot, ClipInfo, Annotation, CollisionInfo, Body, Joint, RootMotion, Mesh, Shapes, Surface, Space, Fit, FitInfo } from './values';

/** A file as values. */
export class Document extends Owned {
  info(): DocumentInfo {
    return this.marrow.get(layout.documentStruct, 'marrow_get_document', this.handle);
  }
  /** Throws what is wrong with a part of the file that cannot be read; `info` counts nothing in such a part. */
  readParts(): void {
    const kAll = 15;
    this.marrow.call('marrow_read_parts', this.handle, kAll);
  }
  skeleton(index: number): SkeletonInfo {
    return this.marrow.get(layout.skeletonStruct, 'marrow_get_skeleton', this.handle, index);
  }
  /** The skeleton that clips move, as the library chooses it; -1 if there is none. */
  mainSkeleton(): number {
    try {
      return this.marrow.get(u32, 'marrow_get_main_skeleton', this.handle);
    } catch (failure) {
      if (failure instanceof MarrowError && failure.code === 'no-skeleton') return -1;
      throw failure;
    }
  }
  /** Whether a clip was made for a skeleton, which may be in another document. */
  fits(clip: number, skeletonDocument: Document, skeleton: number): Fit {
    return this.marrow.get(u32, 'marrow_fit_skeleton', this.handle, clip, skeletonDocument.handle, skeleton, 0);
  }
  /** What that answer rests on, too. */
  fitInfo(clip: number, skeletonDocument: Document, skeleton: number): FitInfo {
    return this.marrow.get(layout.fitStruct, 'marrow_get_fit', this.handle, clip, skeletonDocument.handle, skeleton, 0);
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

/** Copies the visible shapes of a document, on the bones of a skeleton or, without one, of the file. */
export function shapesOf(document: Document, skeleton: Document | null): Shapes {
  const { marrow } = document;
  return marrow.memory.scoped((scope) => {
    const { memory } = marrow;
    const handle = marrow.open(scope, 'marrow_open_shapes', document.handle, skeleton?.handle ?? 0n, 0);
    try {
      const floats = (at: number, count: number) => (at ? memory.floats(at, count).slice() : null);
      const shorts = (at: number, count: number) => (at ? new Uint16Array(memory.core.memory.buffer, at, count).slice() : null);
      const count = marrow.get(u32, 'marrow_get_shape_count', handle);
      const shapes = Array.from({ length: count }, (_, i) => {
        const shape = marrow.get(layout.shapeStruct, 'marrow_get_shape', handle, i);
        const { vertexCount: vertices, boneCount: joints } = shape;
        return {
          name: shape.name,
          type: shape.type,
          positions: floats(shape.positions, vertices * 3)!,
          normals: floats(shape.normals, vertices * 3),
          uvs: floats(shape.uvs, vertices * 2),
          colours: floats(shape.colours, vertices * 4),
          triangles: shorts(shape.triangles, shape.triangleCount * 3)!,
          joints: shorts(shape.joints, vertices * 4),
          weights: floats(shape.weights, vertices * 4),
          bones: shape.bones ? new Int32Array(memory.core.memory.buffer, shape.bones, joints).slice() : new Int32Array(),
          inverseBinds: floats(shape.inverseBinds, joints * 16) ?? new Float32Array(),
          parent: shape.parent,
          place: shape.place,
          textures: shape.textureCount > 0 ? marrow.list(text, 'marrow_get_shape_textures', handle, i) : [],
          isSkinned: shape.isSkinned !== 0 && shape.joints !== 0,
          isDoubleSided: shape.isDoubleSided !== 0,
          alphaThreshold: shape.alpha === kAlphaMask ? shape.alphaThreshold : 0,
        };
      });
      return { bones: marrow.list(layout.boneStruct, 'marrow_get_shape_bones', handle), shapes };
    } finally {
      marrow.release(handle);
    }
  });
}
const kAlphaMask = 1;

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
  /** Where root motion has brought the character: ten floats. */
  rootMotion(frame: number): Float32Array {
    const at = this.buffer.address(10);
    this.marrow.call('marrow_sample_root_motion', this.handle, frame, at);
    return this.marrow.memory.floats(at, 10).slice();
  }
  override release(): void {
    this.buffer.free();
    super.release();
  }
}
