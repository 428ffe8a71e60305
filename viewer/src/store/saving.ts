// SPDX-License-Identifier: MIT
// What the page gives back. The library writes every file; here is only asked for.
import type { Input, OutputFile } from '../abi/marrow';
import { stemOf } from '../files/entry';
import { modifierOwners } from './tuning';
import type { Session } from './session';

export interface Saved {
  name: string;
  bytes: Uint8Array;
}

const named = (stem: string, file: OutputFile): Saved => ({ name: `${stem}${file.extension}`, bytes: file.bytes });

/** Returns a file in its own format, with what was edited. Without edits it is the file as it came. */
export async function saveFile(session: Session, id: number): Promise<Saved> {
  const entry = session.entry(id);
  const stem = stemOf(entry.path);
  if (!session.history.isEdited(id)) return { name: entry.path.slice(entry.path.lastIndexOf('/') + 1), bytes: await entry.read() };
  const document = await session.document(id);
  const { format } = document.info();
  if (format.startsWith('anvil')) return { name: `${stem}.xml`, bytes: await saveRig(session, id) };
  const { files } = session.marrow.run('convert', { format }, [{ role: 'file', name: entry.path, document }], stem);
  return named(stem, files[0]!);
}

/** Writes tuned fields into an Anvil skeleton, one modifier after the other. */
async function saveRig(session: Session, id: number): Promise<Uint8Array> {
  const entry = session.entry(id);
  const { stack, rig, subject } = session.state;
  let bytes = await entry.read();
  if (!rig || subject?.kind !== 'motion') return bytes;
  const isHere = (bone: number) => !stack || stack.files.length < 2 || stack.origins[bone] === id;
  const { preset } = rig;
  if (preset && isHere(subject.actor.bones.findIndex((bone) => bone.name === preset.bone))) {
    const inputs = [{ role: 'file', name: entry.path, bytes }, { role: 'modifiers', name: preset.name, bytes: new Uint8Array() }];
    bytes = session.marrow.run('rig apply', { bone: [preset.bone] }, inputs).files[0]!.bytes;
  }
  const known = new Map(modifierOwners(rig).map((owner, i) => [[owner.bone, owner.type, owner.nth].join('\n'), i]));
  for (const tuned of session.tuner.tuned.values()) {
    const modifier = known.get([tuned.bone, tuned.type, tuned.nth].join('\n'));
    if (modifier === undefined) continue;
    const owner = rig.modifiers[modifier]!.bone;
    if (!isHere(owner)) continue;
    const values = tuned.values.length > 1 ? tuned.values.join(',') : String(tuned.values[0]);
    const options = { bone: tuned.bone, modifier: tuned.type, ...(tuned.nth > 0 ? { index: tuned.nth } : {}), values: [`${tuned.field}=${values}`] };
    bytes = session.marrow.run('rig set', options, [{ role: 'file', name: entry.path, bytes }]).files[0]!.bytes;
  }
  return bytes;
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
  if (subject.skeletonFile !== subject.file)
    inputs.push({ role: 'skeleton', name: session.entry(subject.skeletonFile).path, document: await session.document(subject.skeletonFile) });
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
  const name = `${stemOf(session.entry(subject.skeletonFile).path)}_modifiers.json`;
  if (stack) {
    const whole = stack.files.length > 1 ? await saveMerged(session) : await saveFile(session, subject.file);
    const { files } = session.marrow.run('rig extract-modifiers', {}, [{ role: 'file', name: whole.name, bytes: whole.bytes }]);
    return { name, bytes: files[0]!.bytes };
  }
  const modifiers = rig.modifiers.map((modifier, i) => {
    const entry: Record<string, unknown> = { bone: subject.actor.bones[modifier.bone]?.name, type: modifier.type };
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
  const text = JSON.stringify({ metres_per_unit: subject.actor.metresPerUnit, modifiers }, null, 2);
  return { name, bytes: new TextEncoder().encode(text) as Uint8Array };
}
