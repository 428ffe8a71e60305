// SPDX-License-Identifier: MIT
// What the library says about files: how two differ, and what is wrong with one.
import { sentenceOf } from '../abi/error';
import type { CheckReport, DiffReport } from '../abi/reports';
import { nameOf } from '../files/entry';
import { mainSkeleton, makeActor } from './actor';
import { compareActors } from './compare';
import type { Session } from './session';
import type { Comparison } from './state';

/** Shows another file beside the one that is shown, and what differs; null ends that. */
export async function compareWith(session: Session, id: number | null): Promise<void> {
  const { subject } = session.state;
  session.state.comparison?.actor.release();
  session.store.set({ comparison: null });
  if (id === null || subject?.kind !== 'motion') return session.closeUnused();
  try {
    const document = await session.document(id);
    const skeleton = await session.document(subject.skeletonFile);
    const own = mainSkeleton(document);
    const clip = document.info().clipCount > 0 ? document : null;
    const actor = own >= 0 ? makeActor(document, own, clip) : makeActor(skeleton, mainSkeleton(skeleton), clip);
    const inputs = [
      { role: 'a', name: session.entry(subject.file).path, document: await session.document(subject.file) },
      { role: 'b', name: session.entry(id).path, document },
    ];
    const { report } = session.marrow.run<DiffReport>('diff', {}, inputs);
    const comparison: Comparison = { file: id, actor, clip: actor.clip, bones: compareActors(subject.actor, actor), report };
    session.store.set({ comparison, right: 'compare' });
  } catch (failure) {
    session.say(sentenceOf(failure), 'error');
  }
  session.closeUnused();
}

/** Runs `check` on what is shown. */
export async function checkShown(session: Session): Promise<void> {
  const { subject, stack } = session.state;
  if (!subject || subject.kind === 'unshown') return;
  try {
    // The bytes as they would be downloaded: `check` also looks at how things are stored.
    const input = async (role: string, file: number) => ({ role, name: session.entry(file).path, bytes: await session.bytes(file) });
    const inputs = [await input('file', subject.file)];
    if (subject.kind === 'motion' && subject.skeletonFile !== subject.file) inputs.push(await input('skeleton', subject.skeletonFile));
    const findings = [...session.marrow.run<CheckReport>('check', {}, inputs).report.findings];
    for (const addon of stack?.files.slice(1) ?? []) {
      const more = session.marrow.run<CheckReport>('check', {}, [await input('file', addon), await input('base', subject.file)]);
      findings.push(...more.report.findings.map((each) => ({ ...each, where: `${nameOf(session.entry(addon).path)}: ${each.where}` })));
    }
    session.store.set({ findings });
  } catch (failure) {
    session.store.set({ findings: [{ code: 'ERROR', level: 'error', message: sentenceOf(failure), where: '' }] });
  }
}
