// SPDX-License-Identifier: MIT
// Joints of bodies, bent by hand: how far each is bent, within its limits, and where that takes the bodies. It is looked at,
// and changes no file.
import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Joint } from '../abi/marrow';
import type { BodyMesh } from '../store/collision';
import type { Bend, Bends, Collision } from '../store/state';

/** What a bend is made of: a twist about the axis of the joint, and two swings away from it; in radians. */
export const kBends = ['Twist', 'Swing', 'Lean'] as const;
type Range = readonly [least: number, most: number];
const kNone: Range = [0, 0], kAll: Range = [-Math.PI, Math.PI];

/** A joint between two bodies that are shown. */
export interface JointAt {
  body: number;
  parent: number;
  type: string;
  /** Its frames on both bodies, in game units and the space of the picture, as the file has them. */
  child: Matrix4;
  base: Matrix4;
  rest: Bend;
  /** What each part of a bend may be. */
  ranges: readonly [Range, Range, Range];
  /** The most of both swings together. */
  cone: number;
}

/** The frame of a joint in the space of its body, which is that of the surfaces. */
export function frameMatrix(frame: Float32Array, units: number): Matrix4 {
  const axis = (at: number) => new Vector3(frame[at], frame[at + 1], frame[at + 2]);
  return new Matrix4().makeBasis(axis(0), axis(3), axis(6)).setPosition(axis(9).multiplyScalar(units));
}
function placeOfBody({ meshes }: BodyMesh): Matrix4 | null {
  const place = meshes[0]?.placement;
  return place ? new Matrix4().compose(new Vector3(...place.subarray(0, 3)), new Quaternion(...place.subarray(3, 7)), new Vector3(...place.subarray(7, 10))) : null;
}
const turnOf = (matrix: Matrix4) => new Quaternion().setFromRotationMatrix(new Matrix4().extractRotation(matrix));

/** Takes a rotation apart: first the twist about X, then the swing. */
export function bendOf(q: Quaternion): Bend {
  const twist = new Quaternion(q.x, 0, 0, q.w);
  if (twist.lengthSq() < 1e-12) twist.set(0, 0, 0, 1);
  twist.normalize();
  if (twist.w < 0) twist.set(-twist.x, 0, 0, -twist.w);
  const swing = q.clone().multiply(twist.clone().invert());
  if (swing.w < 0) swing.set(-swing.x, -swing.y, -swing.z, -swing.w);
  const length = Math.hypot(swing.x, swing.y, swing.z);
  const share = length > 1e-9 ? (2 * Math.atan2(length, swing.w)) / length : 2;
  return [2 * Math.atan2(twist.x, twist.w), swing.y * share, swing.z * share];
}
function rotationOf([twist, y, z]: Bend): Quaternion {
  const angle = Math.hypot(y, z);
  const swing = angle > 1e-9 ? new Quaternion().setFromAxisAngle(new Vector3(0, y / angle, z / angle), angle) : new Quaternion();
  return swing.multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), twist));
}

/** What a joint lets be: ranges of the parts of a bend, and the most of both swings. */
function freedomOf({ type, limits }: Joint): { ranges: [Range, Range, Range]; cone: number } {
  const range = (at: number): Range => [Math.min(limits[at]!, limits[at + 1]!), Math.max(limits[at]!, limits[at + 1]!)];
  if (type.startsWith('ragdoll')) {
    const cone = Math.abs(limits[2]!);
    return { ranges: [range(0), [-cone, cone], range(3)], cone };
  }
  if (type === 'limited hinge') return { ranges: [range(0), kNone, kNone], cone: 0 };
  if (type.includes('hinge')) return { ranges: [kAll, kNone, kNone], cone: 0 };
  if (type.includes('ball')) return { ranges: [kAll, kAll, kAll], cone: Math.PI };
  return { ranges: [kNone, kNone, kNone], cone: 0 };
}

/** The joints of what is shown: each moves its child, and all that hangs on it. */
export class Joints {
  readonly of = new Map<number, JointAt>();

  constructor({ bodies }: Collision) {
    bodies.forEach((body, i) => {
      for (const joint of body.joints) {
        const parent = bodies.findIndex((each) => each.system === body.system && each.index === joint.bodyB);
        const place = placeOfBody(body), above = bodies[parent] && placeOfBody(bodies[parent]);
        if (parent < 0 || parent === i || !place || !above || this.of.has(i)) continue;
        const child = place.multiply(frameMatrix(joint.frameA, body.gameUnits)), base = above.multiply(frameMatrix(joint.frameB, body.gameUnits));
        const rest = bendOf(turnOf(base).invert().multiply(turnOf(child)));
        const { ranges, cone } = freedomOf(joint);
        // Some files rest beyond their limits: what they have is allowed.
        const wide = ranges.map(([least, most], k) => (least === most && least === 0 ? [rest[k]!, rest[k]!] : [Math.min(least, rest[k]!), Math.max(most, rest[k]!)])) as unknown as [Range, Range, Range];
        this.of.set(i, { body: i, parent, type: joint.type, child, base, rest, ranges: wide, cone: Math.max(cone, Math.hypot(rest[1], rest[2])) });
      }
    });
  }

  /** How far a joint is bent. */
  bendAt(body: number, bends: Bends): Bend {
    return bends.get(body) ?? this.of.get(body)?.rest ?? [0, 0, 0];
  }
  /** The nearest bend that a joint lets be. */
  within(body: number, bend: Bend): Bend {
    const joint = this.of.get(body);
    if (!joint) return bend;
    const [twist, y, z] = bend.map((value, k) => Math.min(Math.max(value, joint.ranges[k]![0]), joint.ranges[k]![1])) as unknown as Bend;
    const swing = Math.hypot(y, z), share = swing > joint.cone ? joint.cone / swing : 1;
    return [twist, y * share, z * share];
  }
  /** Where a body is, over where the file has it. */
  moved(body: number, bends: Bends, depth = 0): Matrix4 {
    const joint = this.of.get(body);
    // Rings of joints exist: who made them has to bend them elsewhere.
    if (!joint || depth > this.of.size) return new Matrix4();
    const above = this.moved(joint.parent, bends, depth + 1);
    const bend = bends.get(body);
    if (!bend) return above;
    const turn = turnOf(joint.base).multiply(rotationOf(bend)).multiply(turnOf(joint.child).invert());
    const pivot = new Vector3().setFromMatrixPosition(joint.child);
    return above.multiply(new Matrix4().makeTranslation(pivot)).multiply(new Matrix4().makeRotationFromQuaternion(turn)).multiply(new Matrix4().makeTranslation(pivot.negate()));
  }
  /** The bend that takes a point of a body towards a place, both in game units. */
  towards(body: number, bends: Bends, point: Vector3, place: Vector3): Bend | null {
    const joint = this.of.get(body);
    if (!joint) return null;
    const above = this.moved(joint.parent, bends), base = turnOf(above).multiply(turnOf(joint.base));
    const pivot = new Vector3().setFromMatrixPosition(joint.child).applyMatrix4(above);
    const from = point.clone().sub(pivot), to = place.clone().sub(pivot);
    if (from.lengthSq() < 1e-6 || to.lengthSq() < 1e-6) return null;
    const turn = new Quaternion().setFromUnitVectors(from.normalize(), to.normalize());
    const now = rotationOf(this.bendAt(body, bends));
    return this.within(body, bendOf(base.clone().invert().multiply(turn).multiply(base).multiply(now)));
  }
}
