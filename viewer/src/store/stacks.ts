// SPDX-License-Identifier: MIT
// Anvil skeletons with the addons that are merged into them.
import { sentenceOf } from '../abi/error';
import type { Document } from '../abi/marrow';
import type { PlanReport } from '../abi/reports';
import { Actor } from './actor';
import { LiveRig } from './live_rig';
import type { Session } from './session';
import type { Motion, State } from './state';

/** Files that are asked for what they are: a folder of thousands is not a stack. */
export const kMostStack = 24;

export class Stacks {
  constructor(private readonly session: Session) {}

  /** Shows an Anvil skeleton with the addons that came with it. */
  async open(id: number, files?: readonly number[]): Promise<[Motion, LiveRig | null, State['stack']]> {
    const together = files ?? (await this.stackOf(id));
    const documents = await Promise.all(together.map((file) => this.session.document(file)));
    const plan = this.plan(together, documents);
    const preset = together.map((file) => this.session.tuner.presets.get(file)).find(Boolean) ?? null;
    const rig = this.session.marrow.openRig(documents[0]!, documents.slice(1), preset?.name ?? null, preset ? { bones: [preset.bone] } : {});
    const info = rig.info();
    const actor = new Actor(rig.marrow, rig.bones(), info.metresPerUnit, null, null, null);
    const live = new LiveRig(this.session.marrow, rig, actor, this.session.modifierTypes, preset);
    const base = plan ? this.fileOfPath(together, plan.base.path) : id;
    const byBone = new Map(plan?.provenance.map(({ bone, from }) => [bone, this.fileOfPath(together, from)]));
    const origins = actor.bones.map((bone) => byBone.get(bone.name) ?? base);
    const motion: Motion = {
      kind: 'motion', file: base, info: (await this.session.document(base)).info(), clip: null, skeletonFile: base, actor, clips: [], clipIndex: 0, plays: null,
      annotations: [], worn: [],
    };
    this.session.tuner.applyTo(live);
    return [motion, live, { files: [base, ...together.filter((file) => file !== base)], plan, origins }];
  }
  private fileOfPath(files: readonly number[], path: string): number {
    return files.find((file) => this.session.entry(file).path === path) ?? files[0]!;
  }
  private plan(files: readonly number[], documents: readonly Document[]): PlanReport | null {
    if (files.length < 2) return null;
    const inputs = documents.map((document, i) => ({
      role: i === 0 ? 'base' : 'addon', name: this.session.entry(files[i]!).path, document,
    }));
    return this.session.marrow.run<PlanReport>('rig plan', {}, inputs).report;
  }
  private limits: ReadonlyMap<string, number> | null = null;
  /** Returns how many bones each game takes, as `rig plan` reports it. */
  boneLimits(): ReadonlyMap<string, number> {
    const { stack } = this.session.state;
    if (this.limits || !stack) return this.limits ?? new Map();
    const base = { role: 'base', name: this.session.entry(stack.files[0]!).path, document: this.session.opened(stack.files[0]!)! };
    const games = this.session.operations.get('rig plan')?.options.find((option) => option.name === 'game')?.choices ?? [];
    const limits = new Map<string, number>();
    for (const game of games)
      try {
        limits.set(game, this.session.marrow.run<PlanReport>('rig plan', { game }, [base]).report.limit);
      } catch {
        continue; // a game of another family
      }
    return (this.limits = limits);
  }
  /** Returns the most bones that the chosen game takes, or that all games take, and whose limit that is. */
  boneBudget(): { limit: number; whose: string } {
    const limits = this.boneLimits(), { game } = this.session.state;
    const own = limits.get(game);
    return own === undefined ? { limit: Math.min(...limits.values()), whose: 'that every game takes' } : { limit: own, whose: `in ${game}` };
  }
  /** Anvil files that were dropped together are a stack, unless one of them is a whole skeleton beside another. */
  private async stackOf(id: number): Promise<number[]> {
    const file = this.session.entry(id);
    const together: number[] = [];
    for (const other of this.session.state.files.filter((each) => each.batch === file.batch).slice(0, kMostStack)) {
      try {
        if ((await this.session.document(other.id)).info().format.startsWith('anvil')) together.push(other.id);
      } catch {
        // Not part of a stack.
      }
    }
    try {
      const documents = await Promise.all(together.map((each) => this.session.document(each)));
      const plan = this.plan(together, documents);
      const fits = !plan || plan.addons.every((addon) => addon.merged);
      return fits && together.includes(id) ? together : [id];
    } catch {
      return [id];
    }
  }
  /** Puts a file into the stack, or takes it out. */
  async toggle(id: number): Promise<void> {
    const files = this.session.state.stack?.files ?? [];
    await this.restack(files.includes(id) ? files.filter((file) => file !== id) : [...files, id]);
  }
  private async restack(files: readonly number[]): Promise<void> {
    if (files.length === 0) return;
    try {
      const [subject, rig, stack] = await this.open(files[0]!, files);
      this.session.releaseSubject();
      this.session.store.set({ subject, rig, stack, active: subject.file, bone: null, modifier: rig && rig.modifiers.length > 0 ? 0 : null, world: { ...this.session.state.world, step: 0 } });
      this.session.closeUnused();
    } catch (failure) {
      this.session.say(sentenceOf(failure), 'error');
    }
  }
}
