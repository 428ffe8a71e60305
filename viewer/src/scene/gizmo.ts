// SPDX-License-Identifier: MIT
// Rings around the selected bone that turn it at the current frame. What is dragged is seen at once; when it is let go, the
// library makes the edit.
import { Camera, Euler, Object3D, Quaternion, Scene, Vector3 } from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';
import { kFloats } from '../store/pose';
import type { Session } from '../store/session';
import { placeOf } from './marks';
import type { Placed } from './placing';

const kDegrees = 180 / Math.PI;
/** Less than that, in degrees, is a slip of the hand. */
const kLeastTurn = 0.05;
const kUp = new Vector3(0, 0, 1);

export class Gizmo {
  /** Made when it is first wanted. */
  private controls: TransformControls | null = null;
  private readonly handle = new Object3D();
  /** The rotation of the handle, and that of the bone's parent, when it was taken. */
  private taken: { handle: Quaternion; parent: Quaternion; own: Placed; bone: number } | null = null;
  private own: Placed | null = null;

  constructor(
    private readonly session: Session,
    private readonly scene: Scene,
    private readonly camera: Camera,
    private readonly canvas: HTMLCanvasElement,
    private readonly changed: () => void,
    private readonly setOrbiting: (on: boolean) => void,
  ) {}

  /** True if the pointer is on a ring: a click there selects nothing. */
  get isTouched(): boolean {
    return this.controls !== null && this.controls.enabled && this.controls.axis !== null;
  }
  /** Draws the rings at the selected bone, or hides them. */
  show(own: Placed | null): void {
    const { isPosing, bone, playing, rig, comparison, subject } = this.session.state;
    const isWanted = own !== null && isPosing && bone !== null && bone < own.actor.bones.length && !playing && !rig && !comparison && subject?.kind === 'motion' && subject.clip !== null;
    if (!isWanted) return this.hide();
    const controls = (this.controls ??= this.make());
    controls.enabled = controls.getHelper().visible = true;
    this.own = own;
    if (this.taken) return;
    this.handle.position.copy(placeOf(own, bone));
    this.handle.quaternion.copy(rotationOf(own, bone));
    this.handle.updateMatrixWorld();
  }
  hide(): void {
    if (!this.controls) return;
    this.controls.enabled = this.controls.getHelper().visible = false;
  }

  private make(): TransformControls {
    const controls = new TransformControls(this.camera, this.canvas);
    controls.setMode('rotate');
    controls.setSpace('local');
    controls.setSize(0.75);
    this.scene.add(this.handle, controls.getHelper());
    controls.attach(this.handle);
    controls.addEventListener('change', this.changed);
    controls.addEventListener('dragging-changed', ({ value }) => (value ? this.take() : this.release()));
    controls.addEventListener('objectChange', () => this.turn());
    return controls;
  }
  private take(): void {
    const { own } = this, { bone } = this.session.state;
    if (!own || bone === null) return;
    this.setOrbiting(false);
    const parent = own.actor.bones[bone]!.parent;
    this.taken = { handle: this.handle.quaternion.clone(), parent: parent < 0 ? new Quaternion().setFromAxisAngle(kUp, own.turn) : rotationOf(own, parent), own, bone };
  }
  /** The turn so far, in the space of the bone's parent. */
  private turned(): Quaternion {
    const { handle, parent } = this.taken!;
    const world = this.handle.quaternion.clone().multiply(handle.clone().invert());
    return parent.clone().invert().multiply(world).multiply(parent).normalize();
  }
  private turn(): void {
    if (!this.taken) return;
    const { own, bone } = this.taken;
    own.actor.trial = { bone, frame: this.session.state.frame, turn: this.turned().toArray() as [number, number, number, number] };
    this.changed();
  }
  private release(): void {
    if (!this.taken) return;
    const turn = this.turned();
    const { own, bone } = this.taken;
    const { fade, frame } = this.session.state;
    this.taken = null;
    this.setOrbiting(true);
    if (2 * Math.acos(Math.min(1, Math.abs(turn.w))) * kDegrees < kLeastTurn) {
      own.actor.trial = null;
      return this.changed();
    }
    const { x, y, z } = new Euler().setFromQuaternion(turn, 'ZYX');
    void this.session.clipEdits.turnBone(own.actor.bones[bone]!.name, Math.round(frame), [x * kDegrees, y * kDegrees, z * kDegrees], fade);
  }
}

/** The rotation of a bone in the picture's space. */
function rotationOf({ actor, turn }: Placed, bone: number): Quaternion {
  return new Quaternion().fromArray(actor.model, bone * kFloats + 3).premultiply(new Quaternion().setFromAxisAngle(kUp, turn));
}
