// SPDX-License-Identifier: MIT
// What the library says about files: how two differ, and what is wrong with one.
import { sentenceOf } from '../abi/error';
import { Document, Fit } from '../abi/marrow';
import type { CheckReport, Cure, DiffReport } from '../abi/reports';
import { entryOfBytes, nameOf, stemOf } from '../files/entry';
import { Actor, makeActor, shownSkeleton } from './actor';
import { compareActors } from './compare';
import { clipNames, figureOf } from './opening';
import { skeletonChoices, skeletonsOf } from './plays_on';
import type { Session } from './session';
import type { Comparison, Motion } from './state';

/** Returns the figure that a file is compared as. Its clip plays on the skeleton that is shown if it fits that as well as any;
 *  else on the one that it fits. If it fits none, it plays on the one that is shown, and that is said. */
async function otherFigure(session: Session, id: number, document: Document, clip: number, subject: Motion): Promise<Actor> {
  const own = shownSkeleton(document);
  const hasClip = document.info().clipCount > 0;
  if (own >= 0) return makeActor(document, own, hasClip ? document : null, clip);
  const skeleton = await session.document(subject.skeletonFile);
  if (!hasClip) return makeActor(skeleton, shownSkeleton(skeleton), null);
  const choices = await skeletonChoices(session, id, document, clip);
  const mine = choices.find(({ file }) => file === subject.skeletonFile);
  const found = await figureOf(session, id, document, clip, mine && mine.fit === choices[0]!.fit && mine.fit !== Fit.Other ? { first: mine.file } : {});
  if (!('kind' in found)) {
    if (found.plays.warning) session.say(found.plays.warning.words, 'error');
    return found.actor;
  }
  session.say(`${nameOf(session.entry(id).path)} was not made for the skeleton that is shown${mine ? `: ${mine.words}` : ''}.`, 'error');
  return makeActor(skeleton, shownSkeleton(skeleton), document, clip);
}

/** What `diff` finds in two files; nothing of formats that it does not compare. */
async function reportOf(session: Session, one: number, two: number): Promise<DiffReport> {
  const input = async (role: string, id: number) => ({ role, name: session.entry(id).path, document: await session.document(id) });
  try {
    return session.marrow.run<DiffReport>('diff', {}, [await input('a', one), await input('b', two)]).report;
  } catch {
    return { differences: [] };
  }
}

/** Shows a clip of another file, or another of the same, beside the one that is shown, and what differs; null ends that.
 *  `again`: it was shown before, and the panel stays what it is. */
export async function compareWith(session: Session, id: number | null, clip = 0, again = false): Promise<void> {
  const { subject } = session.state;
  session.state.comparison?.actor.release();
  session.store.set({ comparison: null });
  if (id === null || subject?.kind !== 'motion') return session.closeUnused();
  try {
    const document = await session.document(id);
    const clipIndex = Math.min(clip, Math.max(document.info().clipCount - 1, 0));
    const actor = await otherFigure(session, id, document, clipIndex, subject);
    const report = await reportOf(session, subject.file, id);
    const now = session.state.subject;
    if (now?.kind !== 'motion' || now.actor !== subject.actor) return actor.release();
    const comparison: Comparison = { file: id, actor, clip: actor.clip, clips: clipNames(document), clipIndex, bones: compareActors(subject.actor, actor), report };
    session.store.set({ comparison, ...(again ? {} : { right: 'compare' as const }) });
  } catch (failure) {
    session.say(sentenceOf(failure), 'error');
  }
  session.closeUnused();
}

/** True if a cure can be run on the file that is shown, without another choice or another file. */
export function canFix(session: Session, cure: Cure | null): cure is Cure {
  const described = cure && session.operations.get(cure.operation);
  if (!described) return false;
  return !described.inputs.some((input) => (input.required && !input.main) || input.name in cure.options) && !described.options.some((option) => option.required && !(option.name in cure.options));
}

/** Runs the cure of a finding on the file that is shown, and opens the result beside it. */
export async function fixShown(session: Session, cure: Cure): Promise<void> {
  const { subject } = session.state;
  const described = session.operations.get(cure.operation);
  const main = described?.inputs.find((input) => input.main);
  if (!subject || !described || !main) return;
  try {
    const { path } = session.entry(subject.file);
    // A flag that asks for the output is not an option here: files always come.
    const options = Object.fromEntries(Object.entries(cure.options).filter(([name]) => name !== described.output_flag));
    const { files } = session.marrow.run(cure.operation, options, [{ role: main.name, name: path, bytes: await session.bytes(subject.file) }]);
    await session.add([entryOfBytes(`${stemOf(path)}_fixed${files[0]!.extension}`, files[0]!.bytes, session.entry(subject.file).batch)]);
    await session.check();
  } catch (failure) {
    session.say(sentenceOf(failure), 'error');
  }
}

/** Runs `check` on what is shown. */
export async function checkShown(session: Session): Promise<void> {
  const { subject, stack } = session.state;
  if (!subject || subject.kind === 'unshown') return;
  try {
    // The bytes as they would be downloaded: `check` also looks at how things are stored.
    const input = async (role: string, file: number) => ({ role, name: session.entry(file).path, bytes: await session.bytes(file) });
    const inputs = [await input('file', subject.file)];
    for (const skeleton of subject.kind === 'motion' ? skeletonsOf(subject) : []) inputs.push(await input('skeleton', skeleton));
    const findings = [...session.marrow.run<CheckReport>('check', {}, inputs).report.findings];
    for (const addon of stack?.files.slice(1) ?? []) {
      const more = session.marrow.run<CheckReport>('check', {}, [await input('file', addon), await input('base', subject.file)]);
      findings.push(...more.report.findings.map((each) => ({ ...each, where: `${nameOf(session.entry(addon).path)}: ${each.where}` })));
    }
    session.store.set({ findings });
  } catch (failure) {
    session.store.set({ findings: [{ code: 'ERROR', level: 'error', message: sentenceOf(failure), where: '', cure: null }] });
  }
}
