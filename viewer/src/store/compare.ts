// SPDX-License-Identifier: MIT
import type { Actor } from './actor';
import { degreesApart, distance, kFloats } from './pose';

const kMostFrames = 400;

/** How far apart a bone gets in two clips, and at which frame it is turned most. */
export interface BoneDifference {
  bone: number;
  degrees: number;
  units: number;
  frame: number;
}

/** Returns how far apart the bones of two actors get, matched by name, the worst first. Rotations are compared relative
 *  to the parents, in degrees; places in the model, in units. */
export function compareActors(one: Actor, two: Actor): BoneDifference[] {
  const byName = new Map(two.bones.map((bone, i) => [bone.name, i]));
  const pairs = one.bones.flatMap((bone, i) => {
    const j = byName.get(bone.name);
    return j === undefined ? [] : [{ i, j, degrees: 0, units: 0, frame: 0 }];
  });
  const frames = Math.max(one.frameCount, two.frameCount, 1);
  const step = Math.max(1, frames / kMostFrames);
  for (let frame = 0; frame < frames; frame += step) {
    one.poseLocal(Math.min(frame, Math.max(one.frameCount - 1, 0)));
    two.poseLocal(Math.min(frame, Math.max(two.frameCount - 1, 0)));
    for (const pair of pairs) {
      const a = pair.i * kFloats, b = pair.j * kFloats;
      const degrees = degreesApart(one.local, a + 3, two.local, b + 3);
      if (degrees > pair.degrees) [pair.degrees, pair.frame] = [degrees, frame];
      pair.units = Math.max(pair.units, distance(one.model, a, two.model, b));
    }
  }
  return pairs
    .map(({ i, degrees, units, frame }) => ({ bone: i, degrees, units, frame: Math.round(frame) }))
    .sort((a, b) => b.degrees - a.degrees || b.units - a.units);
}
