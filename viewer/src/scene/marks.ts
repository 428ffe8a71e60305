// SPDX-License-Identifier: MIT
// What is drawn beside the bones: ways of the root and of bones, foot contacts, a ruler, the axes of a bone.
import { BufferAttribute, BufferGeometry, CircleGeometry, Color, Group, Line, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import type { Actor } from '../store/actor';
import { kFloats } from '../store/pose';
import type { Contact, Motion, State } from '../store/state';
import { axesLines, clear } from './collision';
import type { Palette } from './palette';
import { Placed, Placing } from './placing';

const kMostSteps = 600;

function lineOf(points: Float32Array, colour: Color, isOnTop: boolean): Line {
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(points, 3));
  const line = new Line(geometry, new LineBasicMaterial({ color: colour, depthTest: !isOnTop, transparent: isOnTop }));
  line.frustumCulled = false;
  line.renderOrder = isOnTop ? 5 : 0;
  return line;
}

/** Where a bone is in the picture's space, in metres. */
export function placeOf({ actor, offset, turn }: Pick<Placed, 'actor' | 'offset' | 'turn'>, bone: number): Vector3 {
  const { model, metresPerUnit: scale } = actor;
  const at = bone * kFloats;
  const cos = Math.cos(turn), sin = Math.sin(turn);
  const x = model[at]! * scale, y = model[at + 1]! * scale;
  return new Vector3(x * cos - y * sin + offset[0], x * sin + y * cos + offset[1], model[at + 2]! * scale + offset[2]);
}

export class Marks {
  readonly group = new Group();
  private readonly axes = axesLines(0.12);
  private readonly ways = new Group();
  private readonly contacts = new Group();
  private readonly ruler = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ depthTest: false, transparent: true }));
  private shown = '';
  private of: unknown = null;
  private shownContacts: readonly Contact[] | null = null;

  constructor() {
    this.axes.visible = this.ruler.visible = false;
    this.ruler.renderOrder = 6;
    this.ruler.frustumCulled = false;
    this.group.add(this.axes, this.ways, this.contacts, this.ruler);
  }

  /** Draws what the state says; `own` is the actor that is looked at. */
  show(state: State, subject: Motion, own: Placed, palette: Palette): void {
    const { actor } = subject;
    this.showWays(state, actor, palette);
    this.showContacts(state, palette);
    this.axes.visible = state.axes && state.bone !== null && state.bone < actor.bones.length;
    if (this.axes.visible) {
      this.axes.position.copy(placeOf(own, state.bone!));
      this.axes.quaternion.fromArray(actor.model, state.bone! * kFloats + 3);
      this.axes.quaternion.premultiply(this.axes.quaternion.clone().setFromAxisAngle(new Vector3(0, 0, 1), own.turn));
    }
    const ends = state.ruler.filter((bone) => bone < actor.bones.length);
    this.ruler.visible = ends.length === 2;
    if (this.ruler.visible) {
      const points = ends.flatMap((bone) => placeOf(own, bone).toArray());
      this.ruler.geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
      (this.ruler.material as LineBasicMaterial).color = palette.selected;
    }
  }

  /** The way of the root on the floor, and those of chosen bones. */
  private showWays(state: State, actor: Actor, palette: Palette): void {
    const isMoving = state.trail && state.rootMotion && actor.rootMotion !== null;
    const key = JSON.stringify([isMoving, state.rootMotion, state.trails, palette.trail]);
    this.ways.visible = !state.rig;
    if (this.of === actor && this.shown === key) return;
    [this.of, this.shown] = [actor, key];
    clear(this.ways);
    const steps = Math.min(actor.frameCount, kMostSteps);
    if (steps < 2 || !actor.canPose) return;
    const frameOf = (i: number) => (i * (actor.frameCount - 1)) / (steps - 1);
    if (isMoving) {
      const points = new Float32Array(steps * 3);
      for (let i = 0; i < steps; ++i) points.set([...Placing.moved(state, actor, frameOf(i)).offset.slice(0, 2), 0.004], i * 3);
      this.ways.add(lineOf(points, palette.trail, false));
    }
    const chosen = state.trails.filter((bone) => bone < actor.bones.length);
    const ways = chosen.map(() => new Float32Array(steps * 3));
    for (let i = 0; i < steps && chosen.length > 0; ++i) {
      actor.pose(frameOf(i));
      chosen.forEach((bone, k) => ways[k]!.set(placeOf({ actor, ...Placing.moved(state, actor, frameOf(i)) }, bone).toArray(), i * 3));
    }
    if (chosen.length > 0) actor.pose(state.frame);
    const { sides } = actor.anatomy;
    ways.forEach((points, k) => {
      const side = sides[chosen[k]!];
      this.ways.add(lineOf(points, side === 'left' ? palette.left : side === 'right' ? palette.right : palette.bone, true));
    });
  }

  /** A disc on the floor for each foot that stands, as long as it does. */
  private showContacts(state: State, palette: Palette): void {
    const { contacts } = state;
    this.contacts.visible = contacts !== null;
    if (contacts !== this.shownContacts) {
      this.shownContacts = contacts;
      clear(this.contacts);
      for (const contact of contacts ?? []) {
        const colour = contact.side === 'left' ? palette.left : contact.side === 'right' ? palette.right : palette.bone;
        const disc = new Mesh(new CircleGeometry(0.09, 24), new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.75, depthWrite: false }));
        disc.position.set(...contact.place);
        disc.renderOrder = 1;
        this.contacts.add(disc);
      }
    }
    contacts?.forEach((contact, i) => (this.contacts.children[i]!.visible = state.frame >= contact.from && state.frame <= contact.to));
  }
}
