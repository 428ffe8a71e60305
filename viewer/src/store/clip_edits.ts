// SPDX-License-Identifier: MIT
// Edits of the clip that is shown. The library makes them; each is one step that can be taken back.
import { sentenceOf } from '../abi/error';
import type { Input } from '../abi/marrow';
import { stemOf } from '../files/entry';
import type { Session } from './session';

export class ClipEdits {
  constructor(private readonly session: Session) {}

  private async run(label: string, operation: string, options: Record<string, unknown>, needsSkeleton = false): Promise<void> {
    const { subject } = this.session.state;
    if (subject?.kind !== 'motion' || !subject.clip) return;
    const { file, skeletonFile, clips, clipIndex } = subject;
    const all = clips.length > 1 ? { ...options, clip: String(clipIndex) } : options;
    const done = await this.session.edits.run(file, label, operation, all, needsSkeleton && skeletonFile !== file ? [{ role: 'skeleton', file: skeletonFile }] : []);
    if (done) this.session.store.set({ range: null });
  }
  /** Keeps the frames from one to another. */
  trim(from: number, to: number): Promise<void> {
    return this.run(`trim to frames ${from} to ${to}`, 'clip trim', { from_frame: from, to_frame: to });
  }
  loop(): Promise<void> {
    return this.run('make it loop', 'clip loop', {}, true);
  }
  reverse(): Promise<void> {
    return this.run('reverse', 'clip reverse', {});
  }
  /** Plays it faster by a factor. */
  speed(factor: number): Promise<void> {
    return this.run(`speed × ${factor}`, 'clip speed', { factor });
  }
  /** Turns a bone by degrees about its parent's axes at a frame, and fades in and out of that. */
  async turnBone(bone: string, frame: number, turn: readonly [number, number, number], fade: number): Promise<void> {
    const { session } = this;
    const { subject } = session.state;
    if (subject?.kind !== 'motion' || !subject.clip) return;
    const { file, skeletonFile, clips, clipIndex } = subject;
    const { path } = session.entry(file);
    const which = clips.length > 1 ? { clip: String(clipIndex) } : {};
    const skeleton: Input[] = skeletonFile === file ? [] : [{ role: 'skeleton', name: session.entry(skeletonFile).path, bytes: await session.bytes(skeletonFile) }];
    try {
      const roleOf = (operation: string) => {
        const { inputs } = session.operations.get(operation)!;
        return (inputs.find((input) => input.main) ?? inputs[0]!).name;
      };
      const bytes = await session.bytes(file);
      // The pose of that frame, turned, goes back into the clip.
      const pose = session.marrow.run('clip pose', { frame, ...which }, [{ role: roleOf('clip pose'), name: path, bytes }], stemOf(path)).files[0]!;
      const turned = session.marrow.run('clip offset', { bone, turn, space: 'parent' }, [{ role: roleOf('clip offset'), name: path, bytes: pose.bytes }, ...skeleton], stemOf(path)).files[0]!;
      const options = { from_frame: frame, to_frame: frame, fade, bones: [bone], ...which };
      const inputs = [{ role: roleOf('clip set-pose'), name: path, bytes }, { role: 'pose', name: 'pose.hkx', bytes: turned.bytes }, ...skeleton];
      const { files } = session.marrow.run('clip set-pose', options, inputs, stemOf(path));
      await session.edits.replace(file, `turn ${bone} at frame ${frame}`, files[0]!.bytes);
    } catch (failure) {
      session.say(sentenceOf(failure), 'error');
    }
  }
  /** Narrows what is kept; null is all. */
  setRange(range: { from: number; to: number } | null): void {
    this.session.store.set({ range });
  }
}
