// SPDX-License-Identifier: MIT
// What the camera shows, and what it goes along with.
import { Box3, Matrix4, Vector3 } from 'three';
import type { Actor } from '../store/actor';
import { isFlesh } from '../store/roles';
import type { Session } from '../store/session';
import type { BodyView } from './body';
import type { CollisionView } from './collision';
import { placeOf } from './marks';
import { Placing } from './placing';

/** Frames of a clip that are looked at. */
const kFrames = 48;
/** Half of the thickness of a body, as a share of its height. */
const kFlesh = 0.045;
/** How far a body without root motion goes before it counts as going somewhere, as a share of its height. */
const kAway = 0.6;

export function cornersOf({ min, max }: Box3): Vector3[] {
  return min.x > max.x ? [] : [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z));
}

/** Corners around the bones of the body as an actor is posed. */
function outlineOf(actor: Actor, moved: { offset: [number, number, number]; turn: number }): Vector3[] {
  const { roles, height } = actor.anatomy;
  // Flesh around the bones; the head goes on above its bone.
  const wide = kFlesh * height * actor.metresPerUnit;
  return actor.bones.flatMap((_, i) => {
    if (!isFlesh(roles[i]!)) return [];
    const box = new Box3().expandByPoint(placeOf({ actor, ...moved }, i)).expandByScalar(roles[i] === 'head' ? 2.5 * wide : wide);
    return [box.min, box.max];
  });
}

export class Framing {
  /** The bone that carries a body away although its clip has no root motion: motion capture does; -1 if none does. */
  private readonly carriers = new WeakMap<Actor, number>();

  constructor(private readonly session: Session) {}

  private framesOf(actor: Actor): number[] {
    const count = actor.canPose && actor.frameCount > 1 && !this.session.state.rig ? Math.min(kFrames, actor.frameCount) : 0;
    return Array.from({ length: count }, (_, k) => (k * (actor.frameCount - 1)) / (count - 1));
  }
  private carrierOf(actor: Actor): number {
    const known = this.carriers.get(actor);
    if (known !== undefined) return known;
    const { roles, height } = actor.anatomy;
    const hips = actor.rootMotion || actor.isPaired ? -1 : roles.findIndex(isFlesh);
    const box = new Box3();
    if (hips >= 0)
      for (const frame of this.framesOf(actor)) {
        actor.pose(frame);
        box.expandByPoint(placeOf({ actor, offset: [0, 0, 0], turn: 0 }, hips).setZ(0));
      }
    this.session.clock.pose();
    const goes = !box.isEmpty() && box.getSize(new Vector3()).length() > kAway * height * actor.metresPerUnit;
    this.carriers.set(actor, goes ? hips : -1);
    return goes ? hips : -1;
  }
  /** Where root motion, the clip or a hand has brought an actor that is posed at a frame. */
  placeToFollow(actor: Actor, frame: number): Vector3 {
    const { state } = this.session;
    const moved = Placing.moved(state, actor, frame);
    const hips = state.rig ? -1 : this.carrierOf(actor);
    return hips < 0 ? new Vector3(...moved.offset) : placeOf({ actor, ...moved }, hips).setZ(moved.offset[2]);
  }

  /** The body that is selected, or all of them. */
  boxOfCollision(collision: CollisionView, isWhole: boolean): Box3 {
    this.session.store.tell();
    const { body } = this.session.state;
    const picked = new Box3();
    if (body !== null && !isWhole) for (const target of collision.targets) if (target.userData.body === body) picked.expandByObject(target);
    return picked.isEmpty() ? collision.bounds() : picked;
  }
  /** The body through the whole clip: not weapons, cameras and helpers, which are anywhere. */
  pointsOfActor(actor: Actor, bodies: readonly BodyView[], isWhole: boolean): Vector3[] {
    const { state, clock } = this.session;
    const { bone, comparison, compareHow, follow } = state;
    const points: Vector3[] = [];
    const offset = Placing.moved(state, actor, state.frame);
    clock.pose();
    const here = this.placeToFollow(actor, state.frame);
    const add = (frame: number) => {
      // Each pose where the camera will have gone along with it.
      const away = follow && this.carrierOf(actor) >= 0 ? here.clone().sub(this.placeToFollow(actor, frame)) : new Vector3();
      points.push(...outlineOf(actor, offset).map((point) => point.add(away)));
    };
    if (bone !== null && !isWhole) return cornersOf(new Box3().expandByPoint(placeOf({ actor, ...offset }, bone)).expandByScalar(0.2));
    if (bodies.length > 0 && !actor.canPose) {
      // A hat is seen as a hat, not as the man below it.
      for (const body of bodies) {
        body.update(state.frame, new Matrix4());
        points.push(...body.points());
      }
      if (points.length > 0) return points;
    }
    const frames = this.framesOf(actor);
    if (frames.length === 0) add(state.frame);
    for (const frame of frames) {
      actor.pose(frame);
      add(frame);
    }
    clock.pose();
    if (!comparison) return points;
    const apart = compareHow === 'side' ? Placing.apart(actor, comparison.actor) : 0;
    const step = new Vector3(apart, 0, 0);
    for (const point of points) point.sub(step);
    const others = this.framesOf(comparison.actor);
    // A skeleton stands as it rests.
    for (const frame of others.length > 0 ? others : [0]) {
      comparison.actor.pose(frame);
      points.push(...outlineOf(comparison.actor, offset).map((point) => point.add(step)));
    }
    clock.pose();
    return points;
  }
}
