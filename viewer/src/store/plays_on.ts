// SPDX-License-Identifier: MIT
// Which open skeleton a clip plays on: what the library finds of each, and the best of them.
import { ClipInfo, Document, Fit } from '../abi/marrow';
import type { CheckReport } from '../abi/reports';
import { nameOf } from '../files/entry';
import { orderSkeletons } from '../files/pairing';
import type { Session } from './session';
import type { Motion } from './state';

/** A skeleton that is open, and what speaks for it or against it. */
export interface SkeletonChoice {
  file: number;
  name: string;
  bones: number;
  fit: Fit;
  /** One sentence. */
  words: string;
}
/** What a clip plays on. `second` is the skeleton of the other actor of a paired clip. */
export interface PlaysOn {
  file: number;
  second: number | null;
  choices: readonly SkeletonChoice[];
  /** What is wrong with it, and the skeleton that would fit if one is open; null if it fits. */
  warning: { words: string; better: number | null } | null;
}
/** What the user chose for a clip. */
export interface Wanted {
  first?: number | undefined;
  second?: number | undefined;
}

/** Returns the files of the skeletons that the library needs to know what a clip moves: none if it has its own, two for a
 *  pair. */
export function skeletonsOf({ file, skeletonFile, plays }: Motion): number[] {
  const second = plays?.second ?? null;
  if (second !== null) return [skeletonFile, second];
  return skeletonFile === file ? [] : [skeletonFile];
}

/** Returns the open skeletons, the best first. */
export async function skeletonChoices(session: Session, id: number, document: Document, clip: number): Promise<SkeletonChoice[]> {
  const choices: (SkeletonChoice & { share: number })[] = [];
  for (const file of orderSkeletons(session.entry(id), session.state.files)) {
    let candidate: Document, index: number;
    try {
      candidate = await session.document(file.id);
      index = candidate.mainSkeleton();
    } catch {
      continue;
    }
    if (index < 0) continue;
    const { boneCount, name } = candidate.skeleton(index);
    const found = document.fitInfo(clip, candidate, index);
    const share = found.compared > 0 ? found.same / found.compared : 0;
    choices.push({ file: file.id, name, bones: boneCount, fit: found.fit, words: wordsOf(found), share });
  }
  // A stable sort: what lies nearer to the clip stays first among equals.
  return choices.sort((a, b) => b.fit - a.fit || Math.round((b.share - a.share) * 100));
}

function wordsOf({ fit, compared, same, outside, misnamed }: { fit: Fit; compared: number; same: number; outside: number; misnamed: number }): string {
  if (outside > 0) return `${outside} of its tracks move bones that this skeleton does not have`;
  if (misnamed > 0) return `${misnamed} of its tracks are named after other bones than those that they would move`;
  if (fit === Fit.Right) return `${same} of ${compared} bones are where this skeleton has them`;
  if (compared === 0) return 'it moves no bone that could tell';
  return `${same === 0 ? 'none' : `only ${same}`} of ${compared} bones ${same === 1 ? 'is' : 'are'} where this skeleton has them`;
}

/** What is to be said if a clip plays on a skeleton. */
export function warningOf(session: Session, clip: ClipInfo, choice: SkeletonChoice, choices: readonly SkeletonChoice[]): PlaysOn['warning'] {
  if (choice.fit === Fit.Right) return null;
  const better = choices.find((each) => each.fit > choice.fit && each.file !== choice.file) ?? null;
  const name = nameOf(session.entry(choice.file).path);
  const verdict = choice.fit === Fit.Unknown ? `It is not certain that this clip was made for ${name}` : `This clip was not made for ${name}`;
  const wanted = better ? ` ${nameOf(session.entry(better.file).path)} (${better.name}, ${better.bones} bones) fits.` : ` It names the skeleton "${clip.skeletonName}" and has ${clip.trackCount} tracks.`;
  return { words: `${verdict}: ${choice.words}.${wanted}`, better: better?.file ?? null };
}

/** True if a clip moves two actors. */
export function isPairedClip(session: Session, id: number, document: Document): boolean {
  try {
    const { report } = session.marrow.run<{ actors?: number }>('info', {}, [{ role: 'file', name: session.entry(id).path, document }]);
    return (report.actors ?? 1) > 1;
  } catch {
    return false;
  }
}

const kMostForPairs = 6;

/** Finds the skeletons of both actors: the two that `check` finds least fault with. */
export async function skeletonsOfPair(session: Session, id: number, document: Document, choices: readonly SkeletonChoice[], wanted: Wanted): Promise<{ first: number; second: number; faults: string[] } | null> {
  const open = choices.slice(0, kMostForPairs).map((each) => each.file);
  const firsts = wanted.first === undefined ? open : [wanted.first], seconds = wanted.second === undefined ? open : [wanted.second];
  let best: { first: number; second: number; faults: string[] } | null = null;
  for (const first of firsts)
    for (const second of [first, ...seconds.filter((each) => each !== first)]) {
      if (wanted.second !== undefined && second !== wanted.second) continue;
      const inputs = [{ role: 'file', name: session.entry(id).path, document }];
      for (const each of [first, second]) inputs.push({ role: 'skeleton', name: session.entry(each).path, document: await session.document(each) });
      let faults: string[];
      try {
        const { findings } = session.marrow.run<CheckReport>('check', {}, inputs).report;
        faults = findings.filter(({ code }) => code.startsWith('W_PAIRED_BONE') || code.startsWith('W_PAIRED_ORDER') || code.startsWith('E_')).map((each) => each.message);
      } catch {
        continue;
      }
      if (!best || faults.length < best.faults.length) best = { first, second, faults };
    }
  return best;
}
