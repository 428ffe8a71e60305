// SPDX-License-Identifier: MIT
// The structs of include/marrow/marrow_c.h, in the order of the header.
import { f32, f64, floats, i32, struct, text, u32, u64 } from './memory';

export const kAbiVersion = 1;

export const errorStruct = struct({ offset: u64, code: u32, name: text, message: text, path: text, file: text });

export const inputStruct = struct({ role: u32, name: u32, bytes: u32, byteCount: u32, document: u64 });
export const resultStruct = struct({ report: text, notes: text, fileCount: u32, found: u32 });
export const fileStruct = struct({ name: text, extension: text, bytes: u32, byteCount: u32 });

export const documentStruct = struct({
  name: text,
  format: text,
  game: text,
  notes: text,
  metresPerUnit: f64,
  byteCount: u64,
  skeletonCount: u32,
  clipCount: u32,
  collisionCount: u32,
  meshCount: u32,
});

export const skeletonStruct = struct({ name: text, boneCount: u32, floatSlotCount: u32, isRagdoll: u32, reserved: u32 });
export const boneStruct = struct({ name: text, parent: i32, lockTranslation: u32, rest: floats(10) });
export const floatSlotStruct = struct({ name: text, reference: f32, reserved: u32 });

export const clipStruct = struct({
  name: text,
  skeletonName: text,
  frameCount: u32,
  trackCount: u32,
  floatTrackCount: u32,
  durationSeconds: f32,
  blend: u32,
  skeleton: i32,
  hasRootMotion: u32,
  isCompressed: u32,
});
export const framesStruct = struct({
  data: u32,
  floats: u32,
  frameCount: u32,
  trackCount: u32,
  floatTrackCount: u32,
  reserved: u32,
});
export const tracksStruct = struct({ bones: u32, slots: u32, boneCount: u32, slotCount: u32 });
export const annotationStruct = struct({ text, time: f32, track: u32 });
export const rootMotionStruct = struct({
  samples: u32,
  sampleCount: u32,
  durationSeconds: f32,
  up: floats(4),
  forward: floats(4),
});

export const collisionStruct = struct({ kind: text, block: i32, gameUnits: f32, bodyCount: u32, jointCount: u32 });
export const bodyStruct = struct({
  name: text,
  node: text,
  shape: text,
  motion: u32,
  mass: f32,
  friction: f32,
  restitution: f32,
  layer: u32,
  flags: u32,
  material: u32,
  position: floats(3),
  rotation: floats(4),
});
export const jointStruct = struct({
  type: text,
  bodyA: u32,
  bodyB: i32,
  frameA: floats(12),
  frameB: floats(12),
  limits: floats(6),
});
export const meshStruct = struct({
  name: text,
  placement: floats(10),
  vertices: u32,
  triangles: u32,
  materials: u32,
  vertexCount: u32,
  triangleCount: u32,
});

export const fitStruct = struct({ fit: u32, compared: u32, same: u32, outside: u32, misnamed: u32, reserved: u32 });

export const shapeStruct = struct({
  name: text,
  type: text,
  material: text,
  positions: u32,
  normals: u32,
  uvs: u32,
  colours: u32,
  triangles: u32,
  joints: u32,
  weights: u32,
  bones: u32,
  inverseBinds: u32,
  vertexCount: u32,
  triangleCount: u32,
  boneCount: u32,
  textureCount: u32,
  block: i32,
  parent: i32,
  alpha: u32,
  alphaThreshold: f32,
  isSkinned: u32,
  isDoubleSided: u32,
  place: floats(16),
});

export const rigStruct = struct({ notes: text, metresPerUnit: f64, boneCount: u32, modifierCount: u32 });
export const modifierStruct = struct({ type: text, bone: i32, order: i32 });
export const environmentStruct = struct({
  gravity: floats(3),
  wind: floats(3),
  gustShare: f32,
  entity: floats(10),
  lod: i32,
  teleported: u32,
});

export const archiveStruct = struct({ format: text, game: text, version: u32, flags: u32, entryCount: u32, reserved: u32 });
export const archiveEntryStruct = struct({ path: text, size: u64, packed: u64, compressed: u32, safe: u32 });
