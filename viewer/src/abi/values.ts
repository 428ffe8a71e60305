// SPDX-License-Identifier: MIT
// What crosses the C ABI, as values.
import type { Document } from './document';
import * as layout from './layout';
import type { Field } from './memory';

export type Handle = bigint;
export type Value<F> = F extends Field<infer T> ? T : never;

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
/** A visible shape on the bones of a rig, as marrow_shape describes it. */
export interface Shape {
  name: string;
  type: string;
  positions: Float32Array;
  normals: Float32Array | null;
  uvs: Float32Array | null;
  colours: Float32Array | null;
  triangles: Uint16Array;
  /** Four per vertex, index `bones`; null without a skin. */
  joints: Uint16Array | null;
  weights: Float32Array | null;
  /** For each joint a bone of the rig, or -1. */
  bones: Int32Array;
  /** Sixteen per joint, by columns. */
  inverseBinds: Float32Array;
  parent: number;
  place: Float32Array;
  /** Paths of the textures by slot, as the file states them. */
  textures: string[];
  isSkinned: boolean;
  isDoubleSided: boolean;
  alphaThreshold: number;
}
/** The shapes of a file, and the bones that they stand on: those of the skeleton first. */
export interface Shapes {
  bones: Bone[];
  shapes: Shape[];
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
export type FitInfo = Value<typeof layout.fitStruct>;
/** Whether a clip was made for a skeleton. */
export const enum Fit {
  Other = 0,
  Unknown = 1,
  Right = 2,
}
