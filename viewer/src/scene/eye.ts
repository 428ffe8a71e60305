// SPDX-License-Identifier: MIT
// The camera: it turns around what is looked at, looks from a side, follows, or sits in a bone.
import { Box3, Fog, PerspectiveCamera, Quaternion, Scene, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Actor } from '../store/actor';
import { kFloats } from '../store/pose';
import type { Side } from '../store/view';

const kLens = 35;
/** A lens so long that lines stay parallel: to within a hundredth over the depth of a body. */
const kParallelLens = 1;
/** Half of the least that is looked at, in metres: coins are small. */
const kLeast = 0.005;
/** Share of the picture that is used. */
const kRoom = 0.84;
/** Pixels at the top that have to stay free for the switches, less those by which the picture is shifted down. */
const kAbove = 36;
const kFrom: Readonly<Record<Side, readonly [number, number, number]>> = {
  free: [0.62, 0.72, 0.32], front: [0, 1, 0.0001], back: [0, -1, 0.0001], left: [-1, 0, 0.0001], right: [1, 0, 0.0001], top: [0, 0.0001, 1],
};

/** What the camera needs to know of its place in the page. */
export interface Room {
  width: number;
  height: number;
  /** Pixels that are covered at the left and at the bottom. */
  left: number;
  bottom: number;
}

export class Eye {
  readonly camera = new PerspectiveCamera(kLens, 1, 0.01, 500);
  readonly controls: OrbitControls;
  private room: Room = { width: 1, height: 1, left: 0, bottom: 0 };
  private box = new Box3();
  private followed: Vector3 | null = null;
  /** What was framed, from where, until somebody moves the camera: it stays framed when its place in the page changes. */
  private framed: { points: readonly Vector3[]; isParallel: boolean; at: Vector3 | null } | null = null;
  /** From where it was looked at before the camera sat in a bone. */
  private outside: Vector3 | null = null;
  /** Where what is looked at faces: an angle about Z, from Y. */
  facing = 0;

  constructor(
    private readonly scene: Scene,
    canvas: HTMLCanvasElement,
    changed: () => void,
  ) {
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(2.4, 3.2, 1.7);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', changed);
    this.controls.addEventListener('start', () => (this.framed = null));
  }

  resize(room: Room): void {
    this.room = room;
    this.camera.aspect = room.width / room.height;
    this.shift();
    if (!this.framed) return;
    const { points, isParallel, at } = this.framed;
    const moved = at && this.followed ? this.followed.clone().sub(at) : new Vector3();
    this.frame(points.map((point) => point.clone().add(moved)), null, isParallel, this.followed);
  }
  /** Leaves room for what lies over the picture. */
  private shift(): void {
    const { width, height, left, bottom } = this.room;
    this.camera.setViewOffset(width, height, -left / 2, bottom / 2 - 14, width, height);
    this.camera.updateProjectionMatrix();
  }

  /** True until somebody moves the camera. */
  get isFramed(): boolean {
    return this.framed !== null;
  }
  /** How far it looks down: the sine of the angle. */
  get steepness(): number {
    return this.camera.position.clone().sub(this.controls.target).normalize().z;
  }

  /** Shows all points, from a side or from where they are looked at. `at` is the place that is followed. */
  frame(points: readonly Vector3[], side: Side | null, isParallel: boolean, at: Vector3 | null): void {
    if (points.length === 0) return;
    this.followed = at?.clone() ?? null;
    this.framed = { points, isParallel, at: this.followed };
    this.box.setFromPoints(points as Vector3[]);
    const centre = this.box.getCenter(new Vector3());
    const from = side ? new Vector3(...kFrom[side]).applyAxisAngle(new Vector3(0, 0, 1), this.facing).normalize() : (this.outside ?? this.camera.position.clone().sub(this.controls.target)).clone().normalize();
    this.outside = null;
    this.camera.fov = isParallel ? kParallelLens : kLens;
    this.controls.target.copy(centre);
    this.place(centre, from, this.farFor(points, centre, from));
  }
  /** The least distance from which all points are in the picture. */
  private farFor(points: readonly Vector3[], centre: Vector3, from: Vector3): number {
    const right = new Vector3(0, 0, 1).cross(from);
    if (right.lengthSq() < 1e-6) right.set(1, 0, 0);
    right.normalize();
    const up = from.clone().cross(right);
    const { width, height, left, bottom } = this.room;
    const upright = Math.tan((this.camera.fov * Math.PI) / 360) * kRoom;
    const across = upright * this.camera.aspect * Math.max(1 - left / width, 0.2), tall = upright * Math.max(Math.min(1 - bottom / height, (1 - (bottom + 2 * kAbove) / height) / kRoom), 0.2);
    let far = kLeast / upright;
    const step = new Vector3();
    for (const point of points) {
      step.subVectors(point, centre);
      far = Math.max(far, step.dot(from) + Math.max(Math.abs(step.dot(right)) / across, Math.abs(step.dot(up)) / tall));
    }
    return far;
  }
  private place(target: Vector3, from: Vector3, far: number): void {
    const radius = Math.max(this.box.getSize(new Vector3()).length() / 2, kLeast);
    this.camera.position.copy(target).addScaledVector(from, far);
    this.camera.near = Math.max((far - radius) / 100, far / 400);
    this.camera.far = far + radius * 60 + 60;
    const fog = this.scene.fog as Fog | null;
    if (fog) [fog.near, fog.far] = [far + radius * 1.6, far + radius * 12];
    this.shift();
    this.controls.update();
  }
  /** Changes the lens, and keeps the size of what is looked at. */
  setParallel(isParallel: boolean): void {
    const fov = isParallel ? kParallelLens : kLens;
    if (this.framed) this.framed.isParallel = isParallel;
    if (fov === this.camera.fov) return;
    const arm = this.camera.position.clone().sub(this.controls.target);
    const far = arm.length() * (Math.tan((this.camera.fov * Math.PI) / 360) / Math.tan((fov * Math.PI) / 360));
    this.camera.fov = fov;
    this.place(this.controls.target, arm.normalize(), far);
  }

  /** Turns the camera by degrees and moves it closer by a factor, for the keyboard. */
  orbit(across: number, up: number, closer: number): void {
    this.framed = null;
    const arm = this.camera.position.clone().sub(this.controls.target);
    const radius = arm.length() * closer;
    const azimuth = Math.atan2(arm.y, arm.x) + (across * Math.PI) / 180;
    const height = Math.min(Math.max(Math.asin(arm.z / arm.length()) + (up * Math.PI) / 180, -1.5), 1.5);
    arm.set(Math.cos(azimuth) * Math.cos(height), Math.sin(azimuth) * Math.cos(height), Math.sin(height)).multiplyScalar(radius);
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
  }

  /** Moves along with a place; null stops that. */
  follow(place: Vector3 | null): void {
    if (place && this.followed) {
      const step = place.clone().sub(this.followed);
      this.controls.target.add(step);
      this.camera.position.add(step);
      this.controls.update();
    }
    this.followed = place?.clone() ?? null;
  }
  /** Looks out of a bone: forward is the axis of it that looks forward at rest. `frame` leads out of it again. */
  lookFrom(actor: Actor, bone: number, place: Vector3, turn: number): void {
    this.outside ??= this.camera.position.clone().sub(this.controls.target);
    this.followed = null;
    const turned = (pose: Float32Array) => new Quaternion().fromArray(pose, bone * kFloats + 3);
    const change = turned(actor.model).multiply(turned(actor.restModel).invert()).premultiply(new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), turn));
    this.camera.fov = 65;
    this.camera.near = 0.02;
    this.camera.position.copy(place);
    this.camera.up.set(0, 0, 1).applyQuaternion(change);
    this.camera.lookAt(place.clone().add(new Vector3(0, 1, 0).applyQuaternion(change)));
    this.camera.up.set(0, 0, 1);
    this.camera.updateProjectionMatrix();
  }
  /** Metres across the picture for a movement in pixels. */
  metresAcross(dx: number, dy: number): Vector3 {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const scale = (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / this.room.height;
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    return right.multiplyScalar(dx * scale).addScaledVector(up, -dy * scale);
  }
}
