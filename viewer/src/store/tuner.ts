// SPDX-License-Identifier: MIT
// Modifiers that are tuned by hand or come from a preset.
import { sentenceOf } from '../abi/error';
import { LiveRig } from './live_rig';
import type { Session } from './session';
import type { Motion } from './state';
import { ModifierOwner, modifierOwners } from './tuning';

/** A field that was set by hand. */
export interface Tuned extends ModifierOwner {
  /** The file that holds the modifier. */
  file: number;
  field: string;
  values: readonly number[];
}

/** A preset of modifiers on a bone. */
export interface Preset {
  name: string;
  bone: string;
}

export class Tuner {
  /** The presets that were put on skeletons, by file. */
  readonly presets = new Map<number, Preset>();

  constructor(private readonly session: Session) {}

  /** Puts a preset on a bone of whatever is shown, and lets it run. In an Anvil skeleton that is an edit; a skeleton of
   *  another game cannot hold modifiers, and gets a sidecar. */
  async applyPreset(name: string | null, bone: string): Promise<void> {
    const { subject, stack, rig } = this.session.state;
    if (subject?.kind !== 'motion') return;
    const before = rig?.preset ?? null;
    const next = name ? { name, bone } : null;
    try {
      await this.session.document(subject.skeletonFile);
      const index = subject.actor.bones.findIndex((each) => each.name === bone);
      const label = name ? `${name} on ${bone}` : `no preset on ${bone}`;
      const file = stack ? (stack.origins[index] ?? subject.file) : subject.skeletonFile;
      this.session.history.make({ label, file, apply: () => this.putPreset(file, next), revert: () => this.putPreset(file, before) });
      if (name) this.session.say(`${name} runs on ${bone}.`, 'info');
    } catch (failure) {
      this.session.say(sentenceOf(failure), 'error');
    }
  }
  private putPreset(file: number, preset: Preset | null): void {
    if (preset) this.presets.set(file, preset);
    else this.presets.delete(file);
    const { subject, stack, rig } = this.session.state;
    // Another file is shown: the edit is kept, and comes to life when its file is shown again.
    if (subject?.kind !== 'motion' || !(stack?.files ?? [subject.skeletonFile]).includes(file)) return;
    if (!stack && !preset && !this.session.opened(file)?.info().format.startsWith('anvil')) {
      rig?.release();
      subject.actor.poseLocal(this.session.state.frame);
      this.session.store.set({ rig: null, modifier: null });
      return;
    }
    const documents = (stack?.files ?? [subject.skeletonFile]).map((file) => this.session.opened(file)!);
    const opened = this.session.marrow.openRig(documents[0]!, documents.slice(1), preset?.name ?? null, preset ? { bones: [preset.bone] } : {});
    const live = new LiveRig(this.session.marrow, opened, subject.actor, this.session.modifierTypes, preset);
    this.applyTo(live);
    rig?.release();
    const first = live.modifiers.findIndex((each) => subject.actor.bones[each.bone]?.name === preset?.bone);
    this.session.store.set({ rig: live, right: 'rig', modifier: first >= 0 ? first : live.modifiers.length > 0 ? 0 : null, world: { ...this.session.state.world, step: 0, running: true } });
  }

  /** Values that were set by hand, by owner, class and field. */
  readonly tuned = new Map<string, Tuned>();

  /** Takes up a value that was set in an earlier session. */
  remember(edit: Tuned): void {
    this.tuned.set([edit.bone, edit.type, edit.nth, edit.field].join('\n'), edit);
  }
  /** Sets in a rig what was set by hand before it was opened. */
  applyTo(live: LiveRig): void {
    for (const edit of this.tuned.values()) this.applyTuning(live, edit);
  }
  private applyTuning(live: LiveRig, edit: Tuned): void {
    const index = modifierOwners(live).findIndex((each) => each.bone === edit.bone && each.type === edit.type && each.nth === edit.nth);
    if (index >= 0) live.rig.setField(index, edit.field, edit.values);
  }
  /** Returns the modifiers that were put on a skeleton which cannot hold them, running again; null if there are none. */
  revive({ skeletonFile, actor }: Motion): LiveRig | null {
    const preset = this.presets.get(skeletonFile), document = this.session.opened(skeletonFile);
    if (!preset || !document) return null;
    const rig = this.session.marrow.openRig(document, [], preset.name, { bones: [preset.bone] });
    const live = new LiveRig(this.session.marrow, rig, actor, this.session.modifierTypes, preset);
    this.applyTo(live);
    return live;
  }
  /** Forgets what was set for a file. Returns true if there was anything. */
  forget(file: number): boolean {
    const keys = [...this.tuned].filter(([, edit]) => edit.file === file).map(([key]) => key);
    keys.forEach((key) => this.tuned.delete(key));
    return this.presets.delete(file) || keys.length > 0;
  }
  /** Sets a field of a modifier while it runs. */
  tune(modifier: number, field: string, values: readonly number[]): void {
    const { rig, subject, stack } = this.session.state;
    if (!rig || subject?.kind !== 'motion') return;
    const owner = { ...modifierOwners(rig)[modifier]!, file: stack?.origins[rig.modifiers[modifier]!.bone] ?? subject.skeletonFile };
    const key = [owner.bone, owner.type, owner.nth, field].join('\n');
    const before = this.tuned.get(key);
    const old = rig.rig.field(modifier, field);
    const set = (edit: { values: readonly number[] } | undefined, to: readonly number[]) => {
      if (edit) this.tuned.set(key, { ...owner, field, values: edit.values });
      else this.tuned.delete(key);
      const live = this.session.state.rig;
      if (live && live.modifiers.length > modifier) this.applyTuning(live, { ...owner, field, values: to });
      this.session.store.set({ modifier: this.session.state.modifier, world: { ...this.session.state.world } });
    };
    this.session.history.make({
      label: `${field} of ${owner.bone}`,
      file: owner.file,
      gesture: key,
      apply: () => set({ values }, values),
      revert: () => set(before, old),
    });
  }
}
