// SPDX-License-Identifier: MIT
// Bones that were turned by hand: each is a key at a frame, which can be moved and deleted later. The clip is made anew of
// what it was before the first of them.
import { sentenceOf } from '../abi/error';
import type { Annotation, Input } from '../abi/marrow';
import { stemOf } from '../files/entry';
import type { Session } from './session';
import type { Motion } from './state';

/** A bone, turned by degrees about X, then Y, then Z of its parent at a frame. */
export interface PoseKey {
  bone: string;
  frame: number;
  turn: readonly [number, number, number];
  /** Seconds on either side to get into the pose and out of it. */
  fade: number;
}
/** The keys of a clip, and the file as it was before them. */
interface Chain {
  base: Uint8Array;
  clip: number;
  keys: readonly PoseKey[];
}

export class PoseKeys {
  /** By the bytes that they led to: what undo and redo bring back has its keys again. */
  private readonly chains = new WeakMap<Uint8Array, Chain>();

  constructor(private readonly session: Session) {}

  private chainOf({ file, clipIndex }: Motion): Chain | undefined {
    const bytes = this.session.edits.versions.bytes(file);
    const chain = bytes && this.chains.get(bytes);
    return chain?.clip === clipIndex ? chain : undefined;
  }
  /** The keys of the clip that is shown. */
  get shown(): readonly PoseKey[] {
    const { subject } = this.session.state;
    return subject?.kind === 'motion' && subject.clip ? (this.chainOf(subject)?.keys ?? []) : [];
  }

  add(key: PoseKey): Promise<void> {
    return this.change(`turn ${key.bone} at frame ${key.frame}`, (keys) => [...keys, key]);
  }
  move(index: number, frame: number): Promise<void> {
    const key = this.shown[index];
    if (!key || key.frame === frame) return Promise.resolve();
    return this.change(`move the key of ${key.bone} to frame ${frame}`, (keys) => keys.map((each, i) => (i === index ? { ...each, frame } : each)));
  }
  remove(index: number): Promise<void> {
    return this.change(`delete the key of ${this.shown[index]?.bone ?? ''}`, (keys) => keys.filter((_, i) => i !== index));
  }

  private async change(label: string, edit: (keys: readonly PoseKey[]) => readonly PoseKey[]): Promise<void> {
    const { session } = this;
    const { subject } = session.state;
    if (subject?.kind !== 'motion' || !subject.clip) return;
    try {
      const chain = this.chainOf(subject) ?? { base: await session.bytes(subject.file), clip: subject.clipIndex, keys: [] };
      const keys = edit(chain.keys);
      let bytes = chain.base;
      for (const key of keys) bytes = await this.turned(subject, bytes, key);
      bytes = this.withAnnotations(subject, bytes, subject.annotations);
      // Other bytes, even if they are equal: they are known by what they are, not by what is in them.
      bytes = bytes.slice();
      this.chains.set(bytes, { ...chain, keys });
      await session.edits.replace(subject.file, label, bytes);
    } catch (failure) {
      subject.actor.trial = null;
      session.view.refreshSubject();
      session.say(sentenceOf(failure), 'error');
    }
  }

  /** The pose of the frame, turned, goes back into the clip. */
  private async turned({ file, skeletonFile, clips, clipIndex }: Motion, bytes: Uint8Array, { bone, frame, turn, fade }: PoseKey): Promise<Uint8Array> {
    const { session } = this;
    const { path } = session.entry(file);
    const which = clips.length > 1 ? { clip: String(clipIndex) } : {};
    const skeleton: Input[] = skeletonFile === file ? [] : [{ role: 'skeleton', name: session.entry(skeletonFile).path, bytes: await session.bytes(skeletonFile) }];
    const run = (operation: string, options: Record<string, unknown>, clip: Uint8Array, more: readonly Input[]) => {
      const { inputs } = session.operations.get(operation)!;
      const role = (inputs.find((input) => input.main) ?? inputs[0]!).name;
      return session.marrow.run(operation, options, [{ role, name: path, bytes: clip }, ...more], stemOf(path)).files[0]!.bytes;
    };
    const pose = run('clip offset', { bone, turn, space: 'parent' }, run('clip pose', { frame, ...which }, bytes, []), skeleton);
    return run('clip set-pose', { from_frame: frame, to_frame: frame, fade, bones: [bone], ...which }, bytes, [{ role: 'pose', name: 'pose.hkx', bytes: pose }, ...skeleton]);
  }
  /** Events that were edited between two keys stay as they are. */
  private withAnnotations({ file, clipIndex }: Motion, bytes: Uint8Array, wanted: readonly Annotation[]): Uint8Array {
    const { marrow } = this.session;
    const { path } = this.session.entry(file);
    const document = marrow.load(bytes, path);
    try {
      if (JSON.stringify(document.annotations(clipIndex)) === JSON.stringify(wanted)) return bytes;
      document.setAnnotations(clipIndex, wanted);
      return marrow.run('convert', { format: document.info().format }, [{ role: 'file', name: path, document }], stemOf(path)).files[0]!.bytes;
    } finally {
      document.release();
    }
  }
}
