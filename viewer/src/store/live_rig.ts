// SPDX-License-Identifier: MIT
import type { Environment, Marrow, Modifier, Rig, Simulation } from '../abi/marrow';
import type { ModifierField, ModifierType } from '../abi/reports';
import type { Actor } from './actor';
import { kFloats } from './pose';
import type { World } from './state';

/** Seconds of the steps that frames are cut into. */
const kFineStep = 1 / 240;
/** Modifiers whose bones swing. */
const kSwings = /^(Hinge(?!Vector)|BallJoint|SpringBox|RotationConstraint|Pendulum)/;

/** A field of a modifier that a slider, a box or a list can set. */
export interface TunedField {
  info: ModifierField;
  values: number[];
}

/** A rig that runs: the modifiers of a skeleton, one character, and the world around it. */
export class LiveRig {
  readonly modifiers: Modifier[];
  /** For each modifier, how many ranges it has in `Constraints`. */
  private readonly hingeCounts: number[];
  private readonly hasChains: boolean;
  private readonly simulation: Simulation;
  private readonly environment: Environment;
  private readonly input: Float32Array;
  private readonly output: Float32Array;
  private readonly roots: number[];
  private fresh = true;
  /** How far the character was dragged, in metres. */
  readonly drag: [number, number, number] = [0, 0, 0];

  constructor(
    marrow: Marrow,
    readonly rig: Rig,
    readonly actor: Actor,
    private readonly types: ReadonlyMap<string, ModifierType>,
    /** The preset on these bones, if one was applied. */
    readonly preset: { name: string; bone: string } | null,
  ) {
    this.modifiers = rig.modifiers();
    this.hingeCounts = this.modifiers.map((_, i) => this.countHinges(i));
    this.hasChains = this.findChains();
    this.simulation = rig.simulation();
    this.environment = marrow.defaultEnvironment();
    this.input = new Float32Array(actor.bones.length * kFloats);
    this.output = new Float32Array(actor.bones.length * kFloats);
    this.roots = actor.bones.flatMap((bone, i) => (bone.parent < 0 ? [i] : []));
  }

  typeOf(modifier: number): ModifierType | undefined {
    return this.types.get(this.modifiers[modifier]!.type);
  }
  /** Returns the fields of a modifier that are numbers; links to bones are left out. */
  fields(modifier: number): TunedField[] {
    const fields: TunedField[] = [];
    for (const info of this.typeOf(modifier)?.fields ?? []) {
      const isNumbers = typeof info.default === 'number' || typeof info.default === 'boolean' || Array.isArray(info.default);
      if (!isNumbers && info.min === undefined) continue;
      try {
        fields.push({ info, values: this.rig.field(modifier, info.name) });
      } catch {
        continue; // a list or a text: not a number
      }
    }
    // Numbers with a range: what else a part has are links, and caches of the game.
    const ranges = this.typeOf(modifier)?.fields.find((field) => field.name === 'Constraints')?.fields?.filter((field) => field.min !== undefined) ?? [];
    for (const i of this.hinges(modifier))
      for (const info of ranges) {
        const name = `Constraints[${i}].${info.name}`;
        fields.push({ info: { ...info, name }, values: this.rig.field(modifier, name) });
      }
    return fields;
  }
  /** Returns the numbers of the ranges in `Constraints`. */
  hinges(modifier: number): number[] {
    return Array.from({ length: this.hingeCounts[modifier]! }, (_, i) => i);
  }
  private countHinges(modifier: number): number {
    if (!this.typeOf(modifier)?.fields.some((field) => field.name === 'Constraints')) return 0;
    for (let i = 0; ; ++i)
      try {
        this.rig.field(modifier, `Constraints[${i}].MinAngle`);
      } catch {
        return i;
      }
  }
  /** Returns the links of a modifier by field: the names of the bones, null for none. */
  links(modifier: number): [field: string, bones: (string | null)[], isList: boolean][] {
    const links: [string, (string | null)[], boolean][] = [];
    for (const info of this.typeOf(modifier)?.fields ?? []) {
      const isList = Array.isArray(info.default) && info.default.length === 0;
      if ((info.default !== null && !isList) || info.min !== undefined) continue;
      try {
        links.push([info.name, this.rig.field(modifier, info.name).map((bone) => this.actor.bones[bone]?.name ?? null), isList]);
      } catch {
        continue; // a list of parts
      }
    }
    return links;
  }

  /** Starts again at rest. */
  reset(): void {
    this.simulation.reset();
    this.fresh = true;
    this.drag.fill(0);
  }

  /** Simulates one frame of the world; `pose` takes the pose that the modifiers start from. `marrow simulate` does the
   *  same, step for step. */
  step(world: World, pose: (step: number) => void): void {
    if (this.fresh) {
      this.fresh = false;
      this.advance(world, 0, 0, pose);
    }
    const cuts = this.isFine ? Math.max(Math.ceil(1 / world.fps / kFineStep - 1e-9), 1) : 1;
    for (let i = 1; i <= cuts; ++i) this.advance(world, world.step + i / cuts, 1 / world.fps / cuts, pose);
  }
  /** True if frames are cut into finer steps: for a moving pose, and for bones that swing on others, which must see when
   *  those meet their limits. `marrow simulate` decides alike. */
  private get isFine(): boolean {
    return this.actor.clip !== null || this.hasChains;
  }
  private findChains(): boolean {
    const swings = new Set(this.modifiers.filter((each) => each.order >= 0 && kSwings.test(each.type)).map((each) => each.bone));
    return this.actor.bones.some((bone, i) => {
      let at = swings.has(i) ? bone.parent : -1;
      while (at >= 0 && !swings.has(at)) at = this.actor.parents[at]!;
      return at >= 0;
    });
  }

  private advance(world: World, step: number, seconds: number, pose: (step: number) => void): void {
    pose(step);
    this.input.set(this.actor.local);
    const metres = world.shakeMetres * Math.sin(2 * Math.PI * world.shakeHertz * (step / world.fps));
    for (const root of this.roots)
      this.input[root * kFloats] = this.input[root * kFloats]! + Math.fround(metres / this.actor.metresPerUnit);
    const { environment } = this;
    environment.gravity.set(world.gravity);
    environment.wind.set(world.wind);
    environment.gustShare = world.gusts;
    for (let k = 0; k < 3; ++k) environment.entity[k] = this.drag[k]! / this.actor.metresPerUnit;
    this.simulation.step(environment, seconds, this.input, this.output);
    this.actor.setLocal(this.output);
  }

  release(): void {
    this.simulation.release();
    this.rig.release();
  }
}
