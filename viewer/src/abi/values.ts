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
/** Whether a clip was made for a skeleton. */
export const enum Fit {
  Other = 0,
  Unknown = 1,
  Right = 2,
}
