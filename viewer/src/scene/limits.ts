// SPDX-License-Identifier: MIT
// What holds modifiers: the cone of a ball joint, the fans of hinges, rotation constraints and look-ats, the box of a
// spring, drawn where the bone hangs.
import { BoxGeometry, Color, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Object3D, Quaternion, Vector3 } from 'three';
import type { LiveRig } from '../store/live_rig';
import { kFloats } from '../store/pose';
import { clear, cone, fan } from './collision';
import type { Palette } from './palette';

const kDegrees = Math.PI / 180;

/** Angles about an axis of the bone, counted from a direction across it. */
interface Fan {
  axis: Vector3;
  zero: Vector3;
  from: number;
  to: number;
  /** The bone that carries the range; -1: the parent of the bone. */
  follows: number;
}
/** One range of `Constraints`. */
interface Range {
  from: number;
  to: number;
  follows: number;
}
/** The limits of one modifier. Cones and fans stand in the bone at rest, which its parent or the bone `follows` carries;
 *  a box stands in the parent. */
type Limit = { cone: [angle: number, shareY: number, shareZ: number] } | { fans: Fan[]; follows: number } | { box: [from: number[], to: number[]] };

const kAxes = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
/** 0 X, 1 Y, 2 Z, 3 -X, 4 -Y, 5 -Z. */
const axisOf = (index: number): Vector3 => kAxes[index % 3]!.clone().multiplyScalar(index >= 3 ? -1 : 1);
/** Some files give degrees where others give radians: past a full turn it can only be the former. */
const radiansOf = (angle: number): number => (Math.abs(angle) > 2 * Math.PI ? angle * kDegrees : angle);

/** How the limits of a class are read. Classes that are not here have none. */
const kLimits: Readonly<Record<string, (get: (field: string) => number[], ranges: readonly Range[]) => Limit | null>> = {
  BallJointBoneModifier: (get) => ({ cone: [get('ConstraintAngle')[0]! * kDegrees, get('ConstraintScaleY')[0]!, get('ConstraintScaleZ')[0]!] }),
  HingeBoneModifier: (get, ranges) => {
    const [axis, zero] = [axisOf(get('AxisConstraintType')[0]!), axisOf(get('AxisLookAtType')[0]!)];
    return ranges.length > 0 ? { fans: ranges.map((range) => ({ axis, zero, ...range })), follows: -1 } : null;
  },
  RotationConstraintModifier: (get, ranges) => {
    const fans = ranges.slice(0, 3).map((range, i) => ({ axis: kAxes[i]!, zero: kAxes[(i + 1) % 3]!, ...range, follows: -1 }));
    return fans.length > 0 ? { fans, follows: get('ConstraintAssociatedBone')[0] ?? -1 } : null;
  },
  AnvilLookAtBoneModifier: lookAtLimit,
  LookAtBoneModifier: lookAtLimit,
  SpringBoxModifier: (get) => {
    const [from, to] = [get('BoxMin'), get('BoxMax')];
    return [...from, ...to].some((value) => value !== 0) ? { box: [from, to] } : null;
  },
};
function lookAtLimit(get: (field: string) => number[]): Limit | null {
  const angles = [get('MinAngle')[0]!, get('MaxAngle')[0]!].map(radiansOf);
  if (angles.every((angle) => angle === 0)) return null;
  const reference = new Vector3().fromArray(get('ClampedRotationReferenceVector'));
  const zero = reference.lengthSq() > 0 ? reference : axisOf(get('LookAtUsedAxis')[0]!);
  return { fans: [{ axis: axisOf(get('ClampedRotationAxis')[0]!), zero, from: Math.min(...angles), to: Math.max(...angles), follows: -1 }], follows: -1 };
}

/** Returns the limits of a modifier, or null if it has none. */
export function limitOf(rig: LiveRig, modifier: number): Limit | null {
  const { type, bone } = rig.modifiers[modifier]!;
  if (bone < 0) return null;
  const ranges = rig.hinges(modifier).map((i) => {
    const get = (field: string) => rig.rig.field(modifier, `Constraints[${i}].${field}`)[0];
    return { from: get('MinAngle')!, to: get('MaxAngle')!, follows: get('ConstraintAssociatedBone') ?? -1 };
  });
  return kLimits[type]?.((field) => rig.rig.field(modifier, field), ranges) ?? null;
}

export class RigLimits {
  readonly group = new Group();
  private shown = '';

  /** Draws the limits of all modifiers thinly, and of the selected one strongly. */
  show(rig: LiveRig, selected: number | null, palette: Palette, placeOf: (bone: number) => Vector3): void {
    const limits = rig.modifiers.flatMap((_, modifier) => {
      const limit = limitOf(rig, modifier);
      return limit ? [{ modifier, limit }] : [];
    });
    const key = JSON.stringify([selected, palette.limit, limits]);
    if (key !== this.shown) {
      this.shown = key;
      clear(this.group);
      for (const { modifier, limit } of limits) this.group.add(make(rig, modifier, limit, modifier === selected ? palette.selected : palette.limit));
    }
    limits.forEach(({ modifier, limit }, i) => {
      const bone = rig.modifiers[modifier]!.bone, parent = rig.actor.parents[bone]!;
      const object = this.group.children[i]!;
      object.position.copy('box' in limit ? (parent >= 0 ? placeOf(parent) : new Vector3()) : placeOf(bone));
      if ('box' in limit) object.quaternion.copy(parent >= 0 ? turnOf(rig, parent) : new Quaternion());
      else object.quaternion.copy(carriedRest(rig, bone, 'fans' in limit ? limit.follows : -1));
      for (const child of object.children) {
        const each = child.userData.fan as Fan | undefined;
        if (!each || each.follows < 0) continue;
        const zero = each.zero.clone().applyQuaternion(carriedRest(rig, bone, each.follows)).applyQuaternion(object.quaternion.clone().invert());
        child.quaternion.copy(fanTurn(each.axis, zero) ?? child.quaternion);
      }
    });
  }
}

/** How a bone is turned now. */
function turnOf(rig: LiveRig, bone: number): Quaternion {
  return new Quaternion().fromArray(rig.actor.model, bone * kFloats + 3);
}
/** How a bone would be turned if it stood as at rest towards `follows`, or towards its parent if that is -1. */
function carriedRest(rig: LiveRig, bone: number, follows: number): Quaternion {
  const restOf = (from: number): Quaternion => {
    const turn = new Quaternion();
    for (let at = from; at >= 0; at = rig.actor.parents[at]!) turn.premultiply(new Quaternion().fromArray(rig.actor.bones[at]!.rest, 3));
    return turn;
  };
  const carrier = follows >= 0 ? follows : rig.actor.parents[bone]!;
  if (carrier < 0) return restOf(bone);
  return turnOf(rig, carrier).multiply(restOf(carrier).invert()).multiply(restOf(bone));
}

function make(rig: LiveRig, modifier: number, limit: Limit, colour: Color): Object3D {
  const holder = new Group();
  const { bone } = rig.modifiers[modifier]!;
  const child = rig.actor.parents.indexOf(bone);
  const length = child >= 0 ? Math.hypot(...rig.actor.bones[child]!.rest.subarray(0, 3)) * rig.actor.metresPerUnit : 0.06;
  const size = Math.min(Math.max(length, 0.03), 0.25);
  const parts = 'cone' in limit ? cone(limit.cone[0], size, colour, limit.cone[1], limit.cone[2]) : 'fans' in limit ? limit.fans.flatMap((each) => fanObject(each, size, colour)) : [boxObject(limit.box, colour)];
  for (const part of parts) holder.add(part);
  return holder;
}

/** A fan, turned so that its angles are about the axis. */
function fanObject(each: Fan, size: number, colour: Color): Object3D[] {
  const turn = fanTurn(each.axis, each.zero);
  if (!turn || each.to <= each.from) return [];
  const object = fan(each.from, each.to, size, colour);
  // Seen from the side a fan is nothing but its rim.
  object.add(new LineSegments(new EdgesGeometry(object.geometry), new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.8 })));
  object.quaternion.copy(turn);
  object.userData.fan = each;
  return [object];
}
/** Returns how a fan about `axis` is turned whose angles count from `zero`; null if both are one line. */
function fanTurn(axis: Vector3, zero: Vector3): Quaternion | null {
  const across = zero.clone().addScaledVector(axis, -zero.dot(axis));
  if (across.lengthSq() < 1e-9) return null;
  across.normalize();
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(axis, across, axis.clone().cross(across)));
}

function boxObject([from, to]: [number[], number[]], colour: Color): Object3D {
  const size = [0, 1, 2].map((k) => Math.max(to[k]! - from[k]!, 1e-4)) as [number, number, number];
  const edges = new LineSegments(new EdgesGeometry(new BoxGeometry(...size)), new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.8 }));
  edges.position.set((from[0]! + to[0]!) / 2, (from[1]! + to[1]!) / 2, (from[2]! + to[2]!) / 2);
  edges.renderOrder = 4;
  return edges;
}
