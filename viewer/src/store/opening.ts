// SPDX-License-Identifier: MIT
// What is seen of a file: a skeleton, a clip on its skeleton, collision, or a sentence about what is missing.
import { MarrowError, sentenceOf } from '../abi/error';
import { Document, Fit, Input, shapesOf } from '../abi/marrow';
import type { CollisionSystem } from '../abi/reports';
import { nameOf } from '../files/entry';
import { orderSkeletonsOfBody } from '../files/pairing';
import { Actor, makeActor, shownSkeleton } from './actor';
import { bodiesWithSurfaces } from './collision';
import type { Session } from './session';
import { PlaysOn, SkeletonChoice, Wanted, isPairedClip, skeletonChoices, skeletonsOfPair, warningOf } from './plays_on';
import type { Motion, Subject, Unshown } from './state';
import { bodiesFor } from './worn';

const kNothing = { clips: [], clipIndex: 0, plays: null, annotations: [] } as const;

export async function openSkeleton(session: Session, id: number, document: Document): Promise<Motion> {
  const actor = makeActor(document, shownSkeleton(document), null);
  const worn = await bodiesFor(session, id, document, actor);
  return { kind: 'motion', file: id, info: document.info(), clip: null, skeletonFile: id, actor, worn, ...kNothing };
}

/** Shows a body at rest: on the first open skeleton that has its bones, or on its own. Null if the file has no skin. */
export async function openBody(session: Session, id: number, document: Document): Promise<Motion | null> {
  const own = shapesOf(document, null);
  if (!own.shapes.some((shape) => shape.isSkinned)) return null;
  const info = document.info();
  for (const file of orderSkeletonsOfBody(session.entry(id), session.state.files)) {
    try {
      const candidate = await session.document(file.id);
      const index = candidate.mainSkeleton();
      if (index < 0) continue;
      const actor = makeActor(candidate, index, null);
      const worn = await bodiesFor(session, file.id, candidate, actor);
      if (worn.some((each) => each.file === id)) return { kind: 'motion', file: id, info, clip: null, skeletonFile: file.id, actor, worn, ...kNothing };
    } catch {
      continue;
    }
  }
  const actor = new Actor(document.marrow, own.bones, info.metresPerUnit, null, null, null);
  const worn = await bodiesFor(session, id, document, actor);
  return { kind: 'motion', file: id, info, clip: null, skeletonFile: id, actor, worn: worn.length > 0 ? worn : [{ file: id, ...own }], ...kNothing };
}

/** What a clip is seen on. */
interface Paired {
  actor: Actor;
  skeletonFile: number;
  plays: PlaysOn;
}

export async function openClip(session: Session, id: number, document: Document, clipIndex = 0, wanted: Wanted = {}): Promise<Subject> {
  const found = await figureOf(session, id, document, clipIndex, wanted);
  if ('kind' in found) return found;
  const { actor, skeletonFile, plays } = found;
  const skeleton = await session.document(skeletonFile);
  return {
    kind: 'motion', file: id, info: document.info(), clip: document.clip(clipIndex), skeletonFile, actor, plays, clipIndex,
    clips: clipNames(document),
    annotations: document.annotations(clipIndex),
    worn: actor.isPaired ? [] : await bodiesFor(session, skeletonFile, skeleton, actor),
  };
}

/** Names of the clips of a file, if it has several. */
export function clipNames(document: Document): string[] {
  const { clipCount } = document.info();
  return clipCount > 1 ? Array.from({ length: clipCount }, (_, i) => document.clip(i).name || `clip ${i}`) : [];
}

/** Finds the skeleton of a clip: the one that was chosen, else the best among the files. */
export async function figureOf(session: Session, id: number, document: Document, clipIndex: number, wanted: Wanted): Promise<Paired | Subject> {
  const clip = document.clip(clipIndex);
  const own = document.mainSkeleton();
  if (own >= 0 && wanted.first === undefined)
    return { actor: makeActor(document, own, document, clipIndex), skeletonFile: id, plays: { file: id, second: null, choices: [], warning: null } };
  const choices = await skeletonChoices(session, id, document, clipIndex);
  if (choices.length > 0 && choices[0]!.fit !== Fit.Right && isPairedClip(session, id, document)) {
    const both = await openPair(session, id, document, choices, wanted);
    if (both) return both;
  }
  const chosen = choices.find((each) => each.file === wanted.first) ?? choices.find((each) => each.fit !== Fit.Other);
  if (chosen) {
    const skeleton = await session.document(chosen.file);
    const actor = makeActor(skeleton, skeleton.mainSkeleton(), document, clipIndex);
    return { actor, skeletonFile: chosen.file, plays: { file: chosen.file, second: null, choices, warning: warningOf(session, clip, chosen, choices) } };
  }
  const moved = `${clip.trackCount} ${clip.trackCount === 1 ? 'bone' : 'bones'}`;
  const made = `${clip.skeletonName ? `It was made for "${clip.skeletonName}" with ${moved}` : `It moves ${moved}`}. Drop its skeleton.hkx here too.`;
  if (choices.length === 0) return unshown(id, 'This clip needs its skeleton', 'A clip stores motion only, not the bones that it moves.', made);
  const refusals = choices.slice(0, 3).map((each) => `${nameOf(session.entry(each.file).path)} (${each.name}, ${each.bones} bones): ${each.words}`);
  return { ...unshown(id, 'No open skeleton fits this clip', `${refusals.join('. ')}.`, made), choices };
}
/** Two actors in one clip: the library lays out the skeletons of both when it writes glTF. */
async function openPair(session: Session, id: number, document: Document, choices: readonly SkeletonChoice[], wanted: Wanted): Promise<Paired | null> {
  const found = await skeletonsOfPair(session, id, document, choices, wanted);
  if (!found) return null;
  const { first, second, faults } = found;
  try {
    const inputs: Input[] = [{ role: 'file', name: session.entry(id).path, document }];
    for (const each of [first, second]) inputs.push({ role: 'skeleton', name: session.entry(each).path, document: await session.document(each) });
    const { files } = session.marrow.run('convert', { format: 'glb', units: 'game' }, inputs);
    const both = session.marrow.load(files[0]!.bytes, 'pair.glb');
    try {
      const warning = faults.length > 0 ? { words: `No two open skeletons fit both actors: ${faults[0]}.`, better: null } : null;
      return { actor: makeActor(both, shownSkeleton(both), both), skeletonFile: first, plays: { file: first, second, choices, warning } };
    } finally {
      both.release();
    }
  } catch {
    return null;
  }
}

/** True if a file has collision with bodies: cloth has none. */
export function hasBodies(document: Document): boolean {
  return document.info().collisionCount > 0 && bodiesWithSurfaces(document).bodies.length > 0;
}
export function openCollision(session: Session, id: number, document: Document): Subject {
  const info = document.info();
  const path = session.entry(id).path;
  let systems: CollisionSystem[] = [];
  if (info.collisionCount > 0) {
    const { report } = session.marrow.run('collision list', {}, [{ role: 'file', name: path, document }]);
    systems = (Object.values(report).find(Array.isArray) as CollisionSystem[] | undefined) ?? [];
  }
  const { bodies, meshes } = bodiesWithSurfaces(document);
  return { kind: 'collision', file: id, info, systems, bodies, meshes };
}

export function refused(session: Session, id: number, failure: unknown): Subject {
  const cure =
    failure instanceof MarrowError && failure.code === 'bad-magic'
      ? 'Files inside a .forge have to be unpacked first.'
      : '';
  return unshown(id, `${nameOf(session.entry(id).path)} cannot be read`, sentenceOf(failure), cure);
}
export function unshown(file: number, title: string, why: string, cure: string): Unshown {
  return { kind: 'unshown', file, title, why, cure };
}
