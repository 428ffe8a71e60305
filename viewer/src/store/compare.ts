// SPDX-License-Identifier: MIT
import type { Actor } from './actor';
import { degreesApart, distance, kFloats } from './pose';

const kMostFrames = 400;

/** How far apart a bone gets in two clips, and at which frame it is so the most. */
export interface BoneDifference {
  bone: number;
  degrees: number;
  units: number;
  frame: number;
}

/** Differences that are as bad as each other, and drawn in the hottest colour. */
export const kHotDegrees = 10, kHotMetres = 0.05;

/** Returns how far apart the bones of two actors get, matched by name, the worst first. Rotations are compared relative
 *  to the parents, in degrees; places in the model, in units of the first actor. */
export function compareActors(one: Actor, two: Actor): BoneDifference[] {
  const byName = new Map(two.bones.map((bone, i) => [bone.name, i]));
  const pairs = one.bones.flatMap((bone, i) => {
    const j = byName.get(bone.name);
    return j === undefined ? [] : [{ i, j, degrees: 0, units: 0, turned: 0, moved: 0 }];
  });
  const frames = Math.max(one.frameCount, two.frameCount, 1);
  const step = Math.max(1, frames / kMostFrames);
  const scale = two.metresPerUnit / one.metresPerUnit;
  for (let frame = 0; frame < frames; frame += step) {
    one.poseLocal(Math.min(frame, Math.max(one.frameCount - 1, 0)));
    two.poseLocal(Math.min(frame, Math.max(two.frameCount - 1, 0)));
    for (const pair of pairs) {
      const a = pair.i * kFloats, b = pair.j * kFloats;
      const degrees = degreesApart(one.local, a + 3, two.local, b + 3);
      const units = distance(one.model, a, two.model, b, scale);
      if (degrees > pair.degrees) [pair.degrees, pair.turned] = [degrees, frame];
      if (units > pair.units) [pair.units, pair.moved] = [units, frame];
    }
  }
  return pairs
    .map(({ i, degrees, units, turned, moved }) => {
      const isTurned = degrees / kHotDegrees >= (units * one.metresPerUnit) / kHotMetres;
      return { bone: i, degrees, units, frame: Math.round(isTurned ? turned : moved) };
    })
    .sort((a, b) => b.degrees - a.degrees || b.units - a.units);
}
