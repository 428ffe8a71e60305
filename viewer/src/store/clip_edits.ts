// SPDX-License-Identifier: MIT
// Edits of the clip that is shown. The library makes them; each is one step that can be taken back.
import { PoseKeys } from './pose_keys';
import type { Session } from './session';

export class ClipEdits {
  /** Bones that were turned by hand. */
  readonly keys: PoseKeys;

  constructor(private readonly session: Session) {
    this.keys = new PoseKeys(session);
  }

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
  turnBone(bone: string, frame: number, turn: readonly [number, number, number], fade: number): Promise<void> {
    return this.keys.add({ bone, frame, turn, fade });
  }
  /** Narrows what is kept; null is all. */
  setRange(range: { from: number; to: number } | null): void {
    this.session.store.set({ range });
  }
}
