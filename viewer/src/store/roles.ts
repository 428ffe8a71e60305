// SPDX-License-Identifier: MIT
// What bones are for, as their names tell: a real skeleton has more helpers, weapons and cameras than limbs.
import type { Bone } from '../abi/marrow';
import { kFloats } from './pose';

export type Role = 'body' | 'head' | 'place' | 'helper' | 'weapon' | 'camera' | 'cloth' | 'magic';
export type Side = 'left' | 'right' | 'middle';

const kRoles: readonly (readonly [Role, RegExp])[] = [
  ['camera', /camera|\bcam\d*\b|camtarget|^cam_/i],
  ['magic', /magic|effect|\bfx|_fx|spell/i],
  ['weapon', /weapon|shield|quiver|anim ?object|pipboy|holster|sheath|scabbard|\bprop\b|attach/i],
  ['cloth', /skirt|cloak|robe|\bcape|tassel/i],
  ['helper', /twist|helper|look ?node|^(?:\d_)?x_|translate$|ik_?target|target$|locator|pauldron|pivot|\bref(?:erence)?$|dummy|_end$|nub$|control|footbox|^ik_|pole/i],
];

/** Returns the role of a bone by its name alone. */
export function roleOfName(name: string): Role {
  for (const [role, pattern] of kRoles) if (pattern.test(name)) return role;
  return /\bhead\b|head$/i.test(name.replace(/\[.*\]/, '').trim()) ? 'head' : 'body';
}

/** Returns the side of a bone: `NPC L Thigh [LThg]`, `LLeg_Calf`, `LeftHand`, `hand.L`, `l_foot`. */
export function sideOfName(name: string): Side {
  const plain = name.replace(/\[.*\]/, '').replace(/^2_/, '');
  if (/(?:^|[^a-z])l(?:[^a-z]|$)/i.test(plain) || /^L(?=[A-Z][a-z])/.test(plain) || /left/i.test(plain)) return 'left';
  if (/(?:^|[^a-z])r(?:[^a-z]|$)/i.test(plain) || /^R(?=[A-Z][a-z])/.test(plain) || /right/i.test(plain)) return 'right';
  return 'middle';
}

/** What the bones of a skeleton are for. */
export interface Anatomy {
  roles: readonly Role[];
  sides: readonly Side[];
  /** For each bone the nearest ancestor that is part of the body; -1 if there is none. */
  above: Int32Array;
  /** From the lowest to the highest bone of the body at rest, in units. */
  height: number;
  /** Where it faces at rest: an angle about Z, from Y. */
  facing: number;
}

export const isFlesh = (role: Role): boolean => role === 'body' || role === 'head';
const kFewest = 4;

/** Finds out what the bones are for. `rest` is the rest pose in the space of the model. */
export function anatomyOf(bones: readonly Bone[], rest: Float32Array): Anatomy {
  let roles: Role[] = bones.map((bone) => roleOfName(bone.name));
  // A skeleton of something else: nothing is known of its names.
  if (roles.filter(isFlesh).length < Math.min(kFewest, bones.length)) roles = bones.map(() => 'body');
  // What hangs on a weapon or a helper that nobody stands on is part of it.
  bones.forEach((bone, i) => {
    const above = bone.parent >= 0 ? roles[bone.parent]! : 'body';
    if (roles[i] === 'body' && (above === 'weapon' || above === 'camera' || above === 'cloth' || above === 'magic')) roles[i] = above;
  });
  const heights = bones.flatMap((_, i) => (isFlesh(roles[i]!) ? [rest[i * kFloats + 2]!] : []));
  const low = Math.min(...heights), height = Math.max(...heights) - low;
  // Roots stand on the floor, and so do the places of the actors of a pair; hips that are a root do not.
  bones.forEach((bone, i) => {
    const isUnderPlace = bone.parent < 0 || roles[bone.parent] === 'place';
    if (isUnderPlace && isFlesh(roles[i]!) && bones.some((each) => each.parent === i) && rest[i * kFloats + 2]! < low + 0.03 * height) roles[i] = 'place';
  });
  const above = new Int32Array(bones.length).fill(-1);
  bones.forEach((bone, i) => {
    let at = bone.parent;
    while (at >= 0 && !isFlesh(roles[at]!)) at = bones[at]!.parent;
    above[i] = at;
  });
  return { roles, sides: bones.map((bone) => sideOfName(bone.name)), above, height, facing: facingOf(bones, rest) };
}

/** The way that the toes point, to the next quarter turn; along Y, as the games have it, if there are none. */
function facingOf(bones: readonly Bone[], rest: Float32Array): number {
  let x = 0, y = 0;
  bones.forEach((bone, i) => {
    if (!/toe/i.test(bone.name) || bone.parent < 0) return;
    x += rest[i * kFloats]! - rest[bone.parent * kFloats]!;
    y += rest[i * kFloats + 1]! - rest[bone.parent * kFloats + 1]!;
  });
  return Math.hypot(x, y) < 1e-4 ? 0 : Math.round(Math.atan2(-x, y) / (Math.PI / 2)) * (Math.PI / 2);
}
