// SPDX-License-Identifier: MIT
import { Bone, ClipInfo, Document, Marrow, RootMotion, Sampler, Space } from '../abi/marrow';
import { kFloats, turnBone } from './pose';
import { Anatomy, anatomyOf } from './roles';

/** A turn of one bone at one frame, x y z w, in the space of its parent. */
export interface Trial {
  bone: number;
  frame: number;
  turn: readonly [number, number, number, number];
}

/** A skeleton with a pose, moved by a clip if there is one. Frees its sampler with `release`. */
export class Actor {
  readonly parents: Int32Array;
  readonly local: Float32Array;
  readonly model: Float32Array;
  /** The rest pose relative to the model. */
  readonly restModel: Float32Array;
  readonly anatomy: Anatomy;
  /** Second actor of a paired clip: its bones have this prefix. */
  readonly isPaired: boolean;
  /** A bone that is being turned by hand: it is seen, and not stored. */
  trial: Trial | null = null;

  constructor(
    private readonly marrow: Marrow,
    readonly bones: readonly Bone[],
    readonly metresPerUnit: number,
    readonly clip: ClipInfo | null,
    private readonly sampler: Sampler | null,
    readonly rootMotion: RootMotion | null,
  ) {
    this.parents = Int32Array.from(bones, (bone) => bone.parent);
    this.local = new Float32Array(bones.length * kFloats);
    this.model = new Float32Array(bones.length * kFloats);
    const names = new Set(bones.map((bone) => bone.name));
    this.isPaired = bones.some((bone) => names.has('2_' + bone.name));
    this.rest();
    this.restModel = this.model.slice();
    this.anatomy = anatomyOf(bones, this.restModel);
  }

  get frameCount(): number {
    return this.clip?.frameCount ?? 0;
  }
  /** True if frames can be posed. */
  get canPose(): boolean {
    return this.sampler !== null;
  }
  /** Frames per second of the clip; 30 without one. */
  get rate(): number {
    const { clip } = this;
    return clip && clip.durationSeconds > 0 && clip.frameCount > 1 ? (clip.frameCount - 1) / clip.durationSeconds : 30;
  }
  secondsOf(frame: number): number {
    return this.clip && this.clip.frameCount > 1 ? (frame / (this.clip.frameCount - 1)) * this.clip.durationSeconds : 0;
  }
  frameOf(seconds: number): number {
    return seconds * this.rate;
  }

  rest(): void {
    this.bones.forEach((bone, i) => this.local.set(bone.rest, i * kFloats));
    this.marrow.poseToModel(this.parents, this.local, this.model);
  }
  /** Takes the pose of a frame, relative to the model. */
  pose(frame: number): void {
    if (this.trial?.frame === frame) this.poseLocal(frame);
    else if (this.sampler) this.sampler.pose(frame, Space.Model, this.model);
  }
  /** Takes the pose of a frame relative to the parents, and to the model. */
  poseLocal(frame: number): void {
    if (!this.sampler) return this.rest();
    this.sampler.pose(frame, Space.Local, this.local);
    if (this.trial?.frame !== frame) return this.sampler.pose(frame, Space.Model, this.model);
    turnBone(this.local, this.trial.bone * kFloats + 3, this.trial.turn);
    this.marrow.poseToModel(this.parents, this.local, this.model);
  }
  /** Takes a pose that was made elsewhere. */
  setLocal(local: Float32Array): void {
    this.local.set(local);
    this.marrow.poseToModel(this.parents, this.local, this.model);
  }

  /** Where root motion has brought the character at a frame: x, y, z in units, and the turn about Z. */
  travelled(frame: number): [number, number, number, number] {
    if (!this.sampler || !this.rootMotion) return [0, 0, 0, 0];
    const moved = this.sampler.rootMotion(frame);
    return [moved[0]!, moved[1]!, moved[2]!, 2 * Math.atan2(moved[5]!, moved[6]!)];
  }

  release(): void {
    this.sampler?.release();
  }
}

/** Makes an actor of a skeleton and a clip, which may be in two documents. */
export function makeActor(skeleton: Document, index: number, clip: Document | null, which = 0): Actor {
  const bones = skeleton.bones(index);
  const { metresPerUnit } = skeleton.info();
  if (!clip) return new Actor(skeleton.marrow, bones, metresPerUnit, null, null, null);
  return new Actor(skeleton.marrow, bones, metresPerUnit, clip.clip(which), clip.sampler(which, skeleton, index), clip.rootMotion(which));
}

/** Returns the skeleton to show of a file: the one that clips move, else a ragdoll; -1 if there is none. */
export function shownSkeleton(document: Document): number {
  const main = document.mainSkeleton();
  return main < 0 && document.info().skeletonCount > 0 ? 0 : main;
}
