// SPDX-License-Identifier: MIT
// What is seen of a file: a skeleton, a clip on its skeleton, collision, or a sentence about what is missing.
import { MarrowError, sentenceOf } from '../abi/error';
import { Document, Fit, shapesOf } from '../abi/marrow';
import type { CollisionSystem } from '../abi/reports';
import { nameOf } from '../files/entry';
import { orderSkeletons } from '../files/pairing';
import { Actor, makeActor, shownSkeleton } from './actor';
import { bodiesWithSurfaces } from './collision';
import type { Session } from './session';
import type { Motion, Subject } from './state';
import { bodiesFor } from './worn';

export async function openSkeleton(session: Session, id: number, document: Document): Promise<Motion> {
  const actor = makeActor(document, shownSkeleton(document), null);
  const worn = await bodiesFor(session, document, actor);
  return { kind: 'motion', file: id, info: document.info(), clip: null, skeletonFile: id, actor, annotations: [], worn };
}

/** Shows a body at rest: on the first open skeleton that has its bones, or on its own. Null if the file has no skin. */
export async function openBody(session: Session, id: number, document: Document): Promise<Motion | null> {
  const own = shapesOf(document, null);
  if (!own.shapes.some((shape) => shape.isSkinned)) return null;
  const info = document.info();
  for (const file of orderSkeletons(session.entry(id), session.state.files)) {
    try {
      const candidate = await session.document(file.id);
      const index = candidate.mainSkeleton();
      if (index < 0) continue;
      const actor = makeActor(candidate, index, null);
      const worn = await bodiesFor(session, candidate, actor);
      if (worn.some((each) => each.file === id)) return { kind: 'motion', file: id, info, clip: null, skeletonFile: file.id, actor, annotations: [], worn };
    } catch {
      continue;
    }
  }
  const actor = new Actor(document.marrow, own.bones, info.metresPerUnit, null, null, null);
  return { kind: 'motion', file: id, info, clip: null, skeletonFile: id, actor, annotations: [], worn: [{ file: id, ...own }] };
}

export async function openClip(session: Session, id: number, document: Document): Promise<Subject> {
  const found = await pair(session, id, document);
  if ('kind' in found) return found;
  const { actor, skeletonFile } = found;
  return {
    kind: 'motion', file: id, info: document.info(), clip: document.clip(0), skeletonFile, actor,
    annotations: document.annotations(0),
    worn: actor.isPaired ? [] : await bodiesFor(session, await session.document(skeletonFile), actor),
  };
}

/** Finds the skeleton of a clip among the files: the best that fits. */
async function pair(session: Session, id: number, document: Document): Promise<{ actor: Actor; skeletonFile: number } | Subject> {
  const clip = document.clip(0);
  const own = document.mainSkeleton();
  if (own >= 0) return { actor: makeActor(document, own, document), skeletonFile: id };
  const refusals: string[] = [];
  let possible: number | null = null; // the first that may fit, if none does for certain
  for (const file of orderSkeletons(session.entry(id), session.state.files)) {
    let candidate: Document;
    try {
      candidate = await session.document(file.id);
    } catch {
      continue;
    }
    const index = candidate.mainSkeleton();
    if (index < 0) continue;
    const fit = document.fits(0, candidate, index);
    if (fit === Fit.Right) return { actor: makeActor(candidate, index, document), skeletonFile: file.id };
    if (fit === Fit.Unknown) {
      possible ??= file.id;
      continue;
    }
    // Two actors, or another skeleton's clip. The library knows.
    const { boneCount, name } = candidate.skeleton(index);
    const both = openPair(session, id, document, candidate);
    if (both) return { actor: both, skeletonFile: file.id };
    refusals.push(`${nameOf(file.path)} (${name}) has ${boneCount} bones, and the clip with ${clip.trackCount} tracks was not made for them`);
  }
  if (possible !== null) {
    const candidate = await session.document(possible);
    return { actor: makeActor(candidate, candidate.mainSkeleton(), document), skeletonFile: possible };
  }
  const wanted = `It was made for "${clip.skeletonName}" with ${clip.trackCount} bones. Drop its skeleton.hkx here too.`;
  if (refusals.length > 0) return unshown(id, 'No open skeleton fits this clip', refusals.slice(0, 3).join('; ') + '.', wanted);
  return unshown(id, 'This clip needs its skeleton', 'A clip stores motion only, not the bones that it moves.', wanted);
}
/** Two actors in one clip: the library lays out the skeleton of both when it writes glTF. */
function openPair(session: Session, id: number, document: Document, skeleton: Document): Actor | null {
  try {
    const { files } = session.marrow.run('convert', { format: 'glb', units: 'game' }, [
      { role: 'file', name: session.entry(id).path, document },
      { role: 'skeleton', name: 'skeleton', document: skeleton },
    ]);
    const both = session.marrow.load(files[0]!.bytes, 'pair.glb');
    try {
      return makeActor(both, shownSkeleton(both), both);
    } finally {
      both.release();
    }
  } catch {
    return null;
  }
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
export function unshown(file: number, title: string, why: string, cure: string): Subject {
  return { kind: 'unshown', file, title, why, cure };
}
