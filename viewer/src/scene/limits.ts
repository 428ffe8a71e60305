// SPDX-License-Identifier: MIT
// What holds a modifier: the cone of a ball joint, the fan of a hinge, drawn where its bone hangs.
import { Color, Group, Quaternion, Vector3 } from 'three';
import type { LiveRig } from '../store/live_rig';
import { kFloats } from '../store/pose';
import type { World } from '../store/state';
import { clear, cone, fan } from './collision';
import type { Palette } from './palette';

const kDegrees = Math.PI / 180;

export class RigLimits {
  readonly group = new Group();
  private shown = '';

  /** Draws the limits of all modifiers thinly, and of the selected one strongly. */
  show(rig: LiveRig, selected: number | null, palette: Palette, placeOf: (bone: number) => Vector3, world: World): void {
    const cones = rig.modifiers.flatMap((modifier, i) => (this.angleOf(rig, i) === null || modifier.bone < 0 ? [] : [i]));
    const key = [selected, palette.limit.getHexString(), ...cones.map((i) => this.angleOf(rig, i)!.join(','))].join('|');
    if (key !== this.shown) {
      this.shown = key;
      clear(this.group);
      for (const i of cones) this.group.add(this.make(rig, i, i === selected ? palette.selected : palette.limit));
    }
    void world;
    cones.forEach((modifier, i) => {
      const object = this.group.children[i]!;
      const bone = rig.modifiers[modifier]!.bone;
      const parent = rig.actor.parents[bone]!;
      object.position.copy(placeOf(bone));
      // A cone stands where the bone points at rest, carried by its parent.
      const rest = rig.actor.bones[bone]!.rest;
      object.quaternion.set(rest[3]!, rest[4]!, rest[5]!, rest[6]!);
      if (parent >= 0) {
        const q = parent * kFloats + 3, { model } = rig.actor;
        object.quaternion.premultiply(new Quaternion(model[q], model[q + 1], model[q + 2], model[q + 3]));
      }
    });
  }

  private angleOf(rig: LiveRig, modifier: number): number[] | null {
    const type = rig.modifiers[modifier]!.type;
    const get = (field: string) => rig.rig.field(modifier, field)[0]!;
    try {
      if (type === 'BallJointBoneModifier') return [get('ConstraintAngle'), get('ConstraintScaleY'), get('ConstraintScaleZ')];
      if (type === 'HingeBoneModifier') return [get('MinAngle'), get('MaxAngle')];
    } catch {
      return null;
    }
    return null;
  }
  private make(rig: LiveRig, modifier: number, colour: Color): Group {
    const holder = new Group();
    const bone = rig.modifiers[modifier]!.bone;
    const child = rig.actor.parents.indexOf(bone);
    const length = child >= 0 ? Math.hypot(...rig.actor.bones[child]!.rest.subarray(0, 3)) * rig.actor.metresPerUnit : 0.06;
    const size = Math.min(Math.max(length, 0.03), 0.25);
    const angle = this.angleOf(rig, modifier)!;
    if (angle.length === 3) holder.add(...cone(angle[0]! * kDegrees, size, colour, angle[1]!, angle[2]!));
    else holder.add(fan(angle[0]! * kDegrees, angle[1]! * kDegrees, size, colour));
    return holder;
  }
}
