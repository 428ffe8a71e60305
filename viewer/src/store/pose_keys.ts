// SPDX-License-Identifier: MIT
// Bones that were turned by hand: each is a key at a frame, which can be moved and deleted later. The clip is made anew of
// what it was before the first of them.
import { sentenceOf } from '../abi/error';
import type { Annotation, Input } from '../abi/marrow';
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
      const chain = this.chainOf(subject) ?? { base: await session.edits.writable(subject.file), clip: subject.clipIndex, keys: [] };
      const keys = edit(chain.keys);
      // Other bytes, even if they are equal: they are known by what they are, not by what is in them.
      const bytes = (await this.turned(subject, chain.base, keys, subject.annotations)).slice();
      this.chains.set(bytes, { ...chain, keys });
      await session.edits.replace(subject.file, label, bytes);
    } catch (failure) {
      subject.actor.trial = null;
      session.view.refreshSubject();
      session.say(sentenceOf(failure), 'error');
    }
  }

  /** Turns the pose of each key's frame and puts it back into the clip, in memory: the clip is encoded once, at the end.
   *  Events that were edited between two keys stay as they are. */
  private async turned(subject: Motion, base: Uint8Array, keys: readonly PoseKey[], events: readonly Annotation[]): Promise<Uint8Array> {
    const { session } = this;
    const { marrow } = session;
    const { file, skeletonFile, clips, clipIndex } = subject;
    const { path } = session.entry(file);
    const which = clips.length > 1 ? { clip: String(clipIndex) } : {};
    const skeleton: Input[] = skeletonFile === file ? [] : [{ role: 'skeleton', name: session.entry(skeletonFile).path, document: await session.document(skeletonFile) }];
    const document = marrow.load(base, path);
    try {
      for (const { bone, frame, turn, fade } of keys) {
        const pose = marrow.copy(document);
        try {
          marrow.apply(pose, 'clip pose', { frame, ...which });
          marrow.apply(pose, 'clip offset', { bone, turn, space: 'parent' }, skeleton);
          marrow.apply(document, 'clip set-pose', { from_frame: frame, to_frame: frame, fade, bones: [bone], ...which }, [{ role: 'pose', name: 'pose.hkx', document: pose }, ...skeleton]);
        } finally {
          pose.release();
        }
      }
      if (JSON.stringify(document.annotations(clipIndex)) !== JSON.stringify(events)) document.setAnnotations(clipIndex, events);
      return marrow.save(document);
    } finally {
      document.release();
    }
  }
}
