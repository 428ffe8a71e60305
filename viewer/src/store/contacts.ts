// SPDX-License-Identifier: MIT
// Feet that stand, as `clip feet` finds them.
import { sentenceOf } from '../abi/error';
import { kFloats } from './pose';
import { sideOfName } from './roles';
import type { Session } from './session';
import type { Contact } from './state';

interface FeetReport {
  clips: { contacts: { bone: string; from_frame: number; to_frame: number }[] }[];
}

/** Asks the library for the contacts of the clip that is shown, or forgets them. */
export async function toggleContacts(session: Session): Promise<void> {
  const { subject, contacts, frame, rig } = session.state;
  if (subject?.kind !== 'motion' || !subject.clip || contacts) return session.store.set({ contacts: null });
  const { actor, file, skeletonFile, clipIndex, clips } = subject;
  try {
    const inputs = [{ role: 'clip', name: session.entry(file).path, document: await session.document(file) }];
    if (skeletonFile !== file) inputs.push({ role: 'skeleton', name: session.entry(skeletonFile).path, document: await session.document(skeletonFile) });
    const { report } = session.marrow.run<FeetReport>('clip feet', clips.length > 1 ? { clip: String(clipIndex) } : {}, inputs);
    const found: Contact[] = [];
    for (const { bone, from_frame: from, to_frame: to } of report.clips[0]?.contacts ?? []) {
      const index = actor.bones.findIndex((each) => each.name === bone);
      if (index < 0) continue;
      const middle = (from + to) / 2;
      actor.pose(middle);
      const at = index * kFloats, scale = actor.metresPerUnit;
      const [x, y, , turn] = session.state.rootMotion ? actor.travelled(middle) : [0, 0, 0, 0];
      const [mx, my] = [actor.model[at]!, actor.model[at + 1]!];
      const place: [number, number, number] = [(mx * Math.cos(turn) - my * Math.sin(turn) + x) * scale, (mx * Math.sin(turn) + my * Math.cos(turn) + y) * scale, 0.006];
      found.push({ bone, side: sideOfName(bone), place, from, to });
    }
    if (!rig) actor.pose(frame);
    session.store.set({ contacts: found });
    if (found.length === 0) session.say('No foot stands in this clip.', 'info');
  } catch (failure) {
    session.say(sentenceOf(failure), 'error');
  }
}
