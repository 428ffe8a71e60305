// SPDX-License-Identifier: MIT
// What the page gives back. The library writes every file; here is only asked for.
import type { Input, OutputFile } from '../abi/marrow';
import { nameOf, stemOf } from '../files/entry';
import { makeActor } from './actor';
import { LiveRig } from './live_rig';
import { skeletonsOf } from './plays_on';
import type { Session } from './session';

export interface Saved {
  name: string;
  bytes: Uint8Array;
}

const named = (stem: string, file: OutputFile): Saved => ({ name: `${stem}${file.extension}`, bytes: file.bytes });

/** The format in which a file comes out that was edited: its own, or glTF if nothing writes that. */
export function writtenFormat({ operations }: Session, format: string): string {
  return operations.get('convert')?.formats.includes(format) ? format : 'glb';
}

/** Returns a file in its own format, with what was edited. Without edits it is the file as it came. A skeleton that cannot
 *  hold modifiers gets a file beside it that does. */
export async function saveFile(session: Session, id: number): Promise<Saved> {
  const entry = session.entry(id);
  const stem = stemOf(entry.path), name = nameOf(entry.path);
  const { versions } = session.edits;
  if (!session.edits.has(id)) return { name, bytes: await entry.read() };
  const { format } = (await session.document(id)).info();
  const bytes = versions.bytes(id) ?? (await entry.read());
  if (format.startsWith('anvil')) return { name: `${stem}.xml`, bytes: saveRig(session, id, bytes) };
  if (!versions.isAhead(id)) return session.tuner.presets.has(id) && versions.bytes(id) === undefined ? saveSidecarOf(session, id) : { name: format === 'glb' ? `${stem}.glb` : name, bytes };
  const { files } = session.marrow.run('convert', { format: writtenFormat(session, format) }, [{ role: 'file', name: entry.path, document: await session.document(id) }], stem);
  return named(stem, files[0]!);
}

/** Writes presets and tuned fields into an Anvil skeleton, one modifier after the other. */
function saveRig(session: Session, id: number, from: Uint8Array): Uint8Array {
  const { path } = session.entry(id);
  const { presets, tuned } = session.tuner;
  const { marrow } = session;
  const document = marrow.load(from, path);
  try {
    const preset = presets.get(id);
    if (preset) marrow.apply(document, 'rig apply', { bone: [preset.bone] }, [{ role: 'modifiers', name: preset.name, bytes: new Uint8Array() }]);
    for (const { file, bone, type, nth, field, values } of tuned.values()) {
      if (file !== id) continue;
      const text = values.length > 1 ? values.join(',') : String(values[0]);
      marrow.apply(document, 'rig set', { bone, modifier: type, ...(nth > 0 ? { index: nth } : {}), values: [`${field}=${text}`] });
    }
    return marrow.save(document);
  } finally {
    document.release();
  }
}

/** Returns the stack as one skeleton, tuned. */
export async function saveMerged(session: Session): Promise<Saved> {
  const { stack } = session.state;
  if (!stack) throw new Error('No Anvil skeleton is shown.');
  const inputs: Input[] = [];
  for (const [i, file] of stack.files.entries())
    inputs.push({ role: i === 0 ? 'base' : 'addon', name: session.entry(file).path, bytes: (await saveFile(session, file)).bytes });
  const stem = `${stemOf(session.entry(stack.files[0]!).path)}_merged`;
  return named(stem, session.marrow.run('rig merge', {}, inputs, stem).files[0]!);
}

/** Returns what is shown as .glb, with Marrow's record of what glTF cannot say. */
export async function saveGlb(session: Session): Promise<Saved> {
  const { subject } = session.state;
  if (!subject || subject.kind === 'unshown') throw new Error('There is nothing to export.');
  const entry = session.entry(subject.file);
  const stem = stemOf(entry.path);
  const document = await session.document(subject.file);
  if (subject.kind === 'collision') {
    const { files } = session.marrow.run('collision export', { format: 'glb' }, [{ role: 'file', name: entry.path, document }], stem);
    return named(stem, files[0]!);
  }
  const inputs: Input[] = [{ role: 'file', name: entry.path, document }];
  for (const skeleton of skeletonsOf(subject)) inputs.push({ role: 'skeleton', name: session.entry(skeleton).path, document: await session.document(skeleton) });
  return named(stem, session.marrow.run('convert', { format: 'glb' }, inputs, stem).files[0]!);
}

/** Returns the events of the clip as text, in hkanno's form. */
export async function saveAnnotations(session: Session): Promise<Saved> {
  const { subject } = session.state;
  if (subject?.kind !== 'motion' || !subject.clip) throw new Error('No clip is shown.');
  const entry = session.entry(subject.file);
  const stem = stemOf(entry.path);
  const role = session.operations.get('annotations export')!.inputs.find((input) => input.main)!.name;
  const { files } = session.marrow.run('annotations export', {}, [{ role, name: entry.path, document: await session.document(subject.file) }], stem);
  return { name: `${stem}.txt`, bytes: files[0]!.bytes };
}

/** Returns the modifiers that run, with their tuned values and links, as a sidecar for `marrow simulate`. */
export async function saveSidecar(session: Session): Promise<Saved> {
  const { rig, subject, stack } = session.state;
  if (!rig || subject?.kind !== 'motion') throw new Error('No modifiers run.');
  if (stack) {
    const whole = stack.files.length > 1 ? await saveMerged(session) : await saveFile(session, subject.file);
    const { files } = session.marrow.run('rig extract-modifiers', {}, [{ role: 'file', name: whole.name, bytes: whole.bytes }]);
    return { name: sidecarName(session, subject.skeletonFile), bytes: files[0]!.bytes };
  }
  return sidecarOf(session, subject.skeletonFile, rig);
}
const sidecarName = (session: Session, file: number) => `${stemOf(session.entry(file).path)}_modifiers.json`;

/** Returns the sidecar of a skeleton, whether it is shown or not. */
async function saveSidecarOf(session: Session, id: number): Promise<Saved> {
  const { rig, subject } = session.state;
  if (rig && subject?.kind === 'motion' && subject.skeletonFile === id) return sidecarOf(session, id, rig);
  const { document, index } = { document: await session.document(id), index: (await session.document(id)).mainSkeleton() };
  const preset = session.tuner.presets.get(id)!;
  const actor = makeActor(document, index, null);
  const live = new LiveRig(session.marrow, session.marrow.openRig(document, [], preset.name, { bones: [preset.bone] }), actor, session.modifierTypes, preset);
  try {
    session.tuner.applyTo(live);
    return sidecarOf(session, id, live);
  } finally {
    live.release();
  }
}

function sidecarOf(session: Session, file: number, rig: LiveRig): Saved {
  const modifiers = rig.modifiers.map((modifier, i) => {
    const entry: Record<string, unknown> = { bone: rig.actor.bones[modifier.bone]?.name, type: modifier.type };
    const hinges: Record<string, unknown>[] = rig.hinges(i).map(() => ({}));
    for (const { info, values } of rig.fields(i)) {
      const value = typeof info.default === 'boolean' ? values[0] !== 0 : Array.isArray(info.default) ? values : values[0];
      const part = /^Constraints\[(\d+)\]\.(.*)/.exec(info.name);
      if (part) hinges[Number(part[1])]![part[2]!] = value;
      else if (!Array.isArray(value) || value.length > 0) entry[info.name] = value;
    }
    for (const [field, bones, isList] of rig.links(i)) {
      const named = bones.filter((bone) => bone !== null);
      if (named.length > 0) entry[field] = isList ? named : named[0];
    }
    if (hinges.length > 0) entry.Constraints = hinges;
    return entry;
  });
  const text = JSON.stringify({ metres_per_unit: rig.actor.metresPerUnit, modifiers }, null, 2);
  return { name: sidecarName(session, file), bytes: new TextEncoder().encode(text) as Uint8Array };
}
