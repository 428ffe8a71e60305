// SPDX-License-Identifier: MIT
// Modifiers that are tuned by hand or come from a preset.
import { sentenceOf } from '../abi/error';
import { LiveRig } from './live_rig';
import type { Session } from './session';
import { ModifierOwner, modifierOwners } from './tuning';

/** A field that was set by hand. */
interface Tuned extends ModifierOwner {
  field: string;
  values: readonly number[];
}

export class Tuner {
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
      if (!stack) this.putPreset(next);
      else {
        const index = subject.actor.bones.findIndex((each) => each.name === bone);
        const label = name ? `${name} on ${bone}` : `no preset on ${bone}`;
        this.session.history.make({ label, file: stack.origins[index] ?? subject.file, apply: () => this.putPreset(next), revert: () => this.putPreset(before) });
      }
      if (name) this.session.say(`${name} runs on ${bone}.`, 'info');
    } catch (failure) {
      this.session.say(sentenceOf(failure), 'error');
    }
  }
  private putPreset(preset: { name: string; bone: string } | null): void {
    const { subject, stack, rig } = this.session.state;
    if (subject?.kind !== 'motion') return;
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

  /** Sets in a rig what was set by hand before it was opened. */
  applyTo(live: LiveRig): void {
    for (const edit of this.tuned.values()) this.applyTuning(live, edit);
  }
  private applyTuning(live: LiveRig, edit: Tuned): void {
    const index = modifierOwners(live).findIndex((each) => each.bone === edit.bone && each.type === edit.type && each.nth === edit.nth);
    if (index >= 0) live.rig.setField(index, edit.field, edit.values);
  }
  /** Sets a field of a modifier while it runs. */
  tune(modifier: number, field: string, values: readonly number[]): void {
    const { rig, subject, stack } = this.session.state;
    if (!rig || subject?.kind !== 'motion') return;
    const owner = modifierOwners(rig)[modifier]!;
    const key = [owner.bone, owner.type, owner.nth, field].join('\n');
    const before = this.tuned.get(key);
    const old = rig.rig.field(modifier, field);
    const set = (edit: { values: readonly number[] } | undefined, to: readonly number[]) => {
      if (edit) this.tuned.set(key, { ...owner, field, values: edit.values });
      else this.tuned.delete(key);
      const live = this.session.state.rig;
      if (live) this.applyTuning(live, { ...owner, field, values: to });
      this.session.store.set({ modifier: this.session.state.modifier, world: { ...this.session.state.world } });
    };
    const bone = rig.modifiers[modifier]!.bone;
    this.session.history.make({
      label: `${field} of ${owner.bone}`,
      file: stack?.origins[bone] ?? subject.skeletonFile,
      gesture: key,
      apply: () => set({ values }, values),
      revert: () => set(before, old),
    });
  }
}
