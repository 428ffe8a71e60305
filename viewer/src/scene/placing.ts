// SPDX-License-Identifier: MIT
// Where everybody stands, and in which colours.
import { Color } from 'three';
import type { Actor } from '../store/actor';
import { kHotDegrees, kHotMetres } from '../store/compare';
import { degreesApart, distance, kFloats } from '../store/pose';
import { isFlesh } from '../store/roles';
import type { Motion, State } from '../store/state';
import { Link, linksOf } from './bones';
import { Palette, heat, hue } from './palette';

/** Half of the way between two figures side by side, as a share of the height of the taller one; pairs need more room. */
const kApart = 0.3, kApartOfPairs = 0.75;

export interface Placed {
  actor: Actor;
  links: readonly Link[];
  offset: [number, number, number];
  turn: number;
  tint: (bone: number) => Color;
  /** The frame that it is posed at. */
  frame: number;
  /** One of the frames before or after, or another clip: it is drawn thinner and not touched. */
  isGhost: boolean;
}

export class Placing {
  private readonly links = new WeakMap<Actor, Map<boolean, Link[]>>();

  private linksOf(actor: Actor, all: boolean): Link[] {
    let both = this.links.get(actor);
    if (!both) this.links.set(actor, (both = new Map()));
    let links = both.get(all);
    if (!links) both.set(all, (links = linksOf(actor, all)));
    return links;
  }

  /** The colours of an actor's bones: by side, by file of a stack, by actor of a pair. */
  private tintOf(state: State, { actor }: Motion, palette: Palette): (bone: number) => Color {
    const { stack } = state;
    const { sides, roles } = actor.anatomy;
    const faded = palette.bone.clone().lerp(palette.background, 0.55);
    const second = actor.isPaired ? actor.bones.map((bone) => bone.name.startsWith('2_')) : null;
    const order = stack && stack.files.length > 1 ? new Map(stack.files.map((file, i) => [file, i])) : null;
    return (bone) => {
      if (bone === state.bone) return palette.selected;
      if (bone === state.hovered) return palette.hovered;
      if (order && stack!.origins[bone] !== stack!.files[0]) return hue((order.get(stack!.origins[bone]!) ?? 1) - 1);
      if (!isFlesh(roles[bone]!)) return faded;
      if (second?.[bone]) return palette.second;
      return sides[bone] === 'left' ? palette.left : sides[bone] === 'right' ? palette.right : palette.bone;
    };
  }

  /** How far an actor has come at a frame, in metres, and how it is turned. */
  static moved(state: State, actor: Actor, frame: number): { offset: [number, number, number]; turn: number } {
    const drag = state.rig?.drag ?? [0, 0, 0];
    const [x, y, z, turn] = state.rootMotion && !state.rig ? actor.travelled(frame) : [0, 0, 0, 0];
    const scale = actor.metresPerUnit;
    return { offset: [x * scale + drag[0]!, y * scale + drag[1]!, z * scale + drag[2]!], turn };
  }

  /** Returns everybody who is drawn, the one that is looked at last. */
  arrange(state: State, subject: Motion, palette: Palette): Placed[] {
    const { comparison } = state;
    const { actor } = subject;
    const tint = this.tintOf(state, subject, palette);
    const { eyeBone } = state;
    const all = this.linksOf(actor, state.helpers);
    // Nobody sees the bone that the camera sits in.
    const links = eyeBone === null ? all : all.filter(({ bone, child }) => bone !== eyeBone && child !== eyeBone);
    const own: Placed = { actor, links, ...Placing.moved(state, actor, state.frame), tint, frame: state.frame, isGhost: false };
    const placed: Placed[] = [];
    if (comparison) placed.push(...this.arrangeComparison(state, own, palette));
    if (!state.rig) placed.push(...this.ghosts(state, own, palette));
    const across = Math.ceil(Math.sqrt(state.crowd));
    for (let i = 0; i < state.crowd; ++i) {
      const x = (i % across) - (across - 1) / 2, y = Math.floor(i / across) - (across - 1) / 2;
      const spread = state.crowd > 1 ? 1.2 : 0;
      // In a crowd everybody is at another frame, as a game would have it.
      const frame = i === state.crowd - 1 ? state.frame : (state.frame + i * 7.3) % Math.max(actor.frameCount - 1, 1);
      placed.push({ ...own, offset: [own.offset[0] + x * spread, own.offset[1] + y * spread, own.offset[2]], frame });
    }
    if (comparison && state.compareHow === 'turns') return placed.filter((each) => (each.actor === actor) === state.isFirstTurn);
    return placed;
  }

  /** Frames before and after, the further the fainter. */
  private ghosts(state: State, own: Placed, palette: Palette): Placed[] {
    const { actor } = own;
    if (state.ghosts === 0 || actor.frameCount < 2) return [];
    const step = Math.max(1, Math.round(actor.frameCount / 20));
    const ghosts: Placed[] = [];
    for (let k = state.ghosts; k > 0; --k)
      for (const sign of [-1, 1]) {
        const frame = Math.round(state.frame) + sign * k * step;
        if (frame < 0 || frame > actor.frameCount - 1) continue;
        const colour = (sign < 0 ? palette.left : palette.right).clone().lerp(palette.background, 0.45 + 0.4 * (k / (state.ghosts + 1)));
        ghosts.push({ ...own, ...Placing.moved(state, actor, frame), frame, tint: () => colour, isGhost: true });
      }
    return ghosts;
  }

  /** How far each of two figures that stand side by side is from the middle, in metres. */
  static apart(one: Actor, two: Actor): number {
    return Math.max(...[one, two].map(({ anatomy, metresPerUnit, isPaired }) => anatomy.height * metresPerUnit * (isPaired ? kApartOfPairs : kApart)));
  }

  /** The other clip of a comparison; the colours of the first become those of the difference. */
  private arrangeComparison(state: State, own: Placed, palette: Palette): Placed[] {
    const { actor } = own;
    const other = state.comparison!.actor;
    const frame = Math.min(state.frame, Math.max(other.frameCount - 1, 0));
    const byName = new Map(other.bones.map((bone, i) => [bone.name, i]));
    const plain = own.tint;
    const scale = other.metresPerUnit / actor.metresPerUnit;
    own.tint = (bone) => {
      if (bone === state.bone || bone === state.hovered) return plain(bone);
      const twin = byName.get(actor.bones[bone]!.name);
      if (twin === undefined) return palette.second;
      const degrees = degreesApart(actor.model, bone * kFloats + 3, other.model, twin * kFloats + 3);
      const metres = distance(actor.model, bone * kFloats, other.model, twin * kFloats, scale) * actor.metresPerUnit;
      return heat(Math.max(degrees / kHotDegrees, metres / kHotMetres));
    };
    const { offset, turn } = Placing.moved(state, other, frame);
    const apart = state.compareHow === 'side' ? Placing.apart(actor, other) : 0;
    own.offset[0] -= apart;
    offset[0] += apart;
    return [{ actor: other, links: this.linksOf(other, state.helpers), offset, turn, tint: () => palette.second, frame, isGhost: false }];
  }
}
