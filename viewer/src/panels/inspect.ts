// SPDX-License-Identifier: MIT
import { nameOf } from '../files/entry';
import { kFloats } from '../store/pose';
import { shapeKey } from '../store/worn';
import type { Collision, Motion, State } from '../store/state';
import { App } from './app';
import { playsOnChoice } from './plays_on';
import { breakable, button, bytesText, facts, figure, h, toggle } from './dom';

const kBlends = ['normal', 'additive', 'additive (deprecated)'];

/** What is shown: the clip or the skeleton, and the selected bone. */
export function inspectPanel(app: App): HTMLElement {
  const about = h('div', {});
  const bone = h('div', {});
  app.store.watch(['subject'], (state) => about.replaceChildren(...aboutSubject(app, state)));
  app.store.watch(['bone', 'subject'], (state) => bone.replaceChildren(...aboutBone(app, state)));
  app.store.watch(['frame', 'world'], (state) => {
    if (state.bone !== null) updatePose(app, bone, state);
  });
  return h('section', { class: 'panel scroll', aria: { label: 'Details' } }, about, bone);
}

function aboutSubject(app: App, { subject }: State): Node[] {
  if (!subject) return [];
  const entry = app.session.entry(subject.file);
  if (subject.kind === 'unshown') return [h('h2', {}, ...breakable(nameOf(entry.path))), h('p', { class: 'note' }, subject.why)];
  const { info } = subject;
  const rows: [string, string | null][] = [
    ['Format', info.format], ['Game', info.game], ['Size', bytesText(entry.size)],
  ];
  if (subject.kind === 'motion') {
    const { clip, actor } = subject;
    if (clip)
      rows.push(
        ['Frames', `${clip.frameCount} (${figure(actor.rate)} per second)`], ['Length', `${figure(clip.durationSeconds)} s`],
        ['Tracks', String(clip.trackCount)], ['Float tracks', String(clip.floatTrackCount)],
        ['Stored as', clip.isCompressed ? 'splines' : 'every frame'], ['Blending', kBlends[clip.blend] ?? null],
        ['Root motion', clip.hasRootMotion ? 'yes' : 'none'], ['Annotations', String(subject.annotations.length)],
      );
    rows.push(['Bones', String(actor.bones.length)]);
    if (actor.isPaired) rows.push(['Actors', '2 (paired clip)']);
  } else rows.push(['Bodies', String(subject.bodies.length)], ['Meshes', String(subject.meshes.length)]);
  // What a mesh without its skin would lack is on the skeleton here.
  const worn = new Set(subject.kind === 'motion' ? subject.worn.flatMap(({ file, shapes }) => (file === subject.file ? shapes.map(({ name }) => `shape '${name}'`) : [])) : []);
  const notes = (JSON.parse(info.notes || '[]') as { message: string; path?: string }[]).filter(({ path }) => !worn.has(path ?? '')).slice(0, 8);
  return [
    h('h2', {}, ...breakable(nameOf(entry.path))),
    ...(subject.kind === 'motion' ? playsOnChoice(app, subject) : []),
    facts(rows),
    ...otherView(app, subject),
    ...(subject.kind === 'motion' ? wardrobe(app, subject) : []),
    ...notes.map((note) => h('p', { class: 'note' }, note.message)),
  ];
}

/** Files with a skeleton and collision can be seen as either. */
function otherView(app: App, { kind, file, info }: Motion | Collision): Node[] {
  if (info.collisionCount === 0 || info.skeletonCount === 0 || info.clipCount > 0) return [];
  const isMotion = kind === 'motion';
  if (isMotion && info.format === 'nif') return []; // a body, whose cloth has nothing to see
  return [button(isMotion ? 'Show its collision' : 'Show its skeleton', () => void app.session.showAs(file, isMotion ? 'collision' : 'skeleton'))];
}

/** The shapes of the bodies, each with a switch. */
function wardrobe(app: App, { worn }: Motion): Node[] {
  if (worn.length === 0) return [];
  const { hidden } = app.store.state;
  return [
    h('h2', {}, 'Body'),
    ...worn.flatMap(({ file, shapes }) => [
      h('p', { class: 'note' }, ...breakable(nameOf(app.session.entry(file).path))),
      ...shapes.map((shape, i) => {
        const key = shapeKey(file, i);
        return toggle(shape.name || `shape ${i}`, !hidden.has(key), (on) => app.session.view.showShape(key, on));
      }),
    ]),
  ];
}

function aboutBone(app: App, { subject, bone }: State): Node[] {
  if (subject?.kind !== 'motion' || bone === null) return subject?.kind === 'motion' ? [h('p', { class: 'note' }, 'Click a bone in the picture or in the list to see its values.')] : [];
  const about = subject.actor.bones[bone];
  if (!about) return [];
  const parent = subject.actor.bones[about.parent];
  return [
    h('h2', {}, ...breakable(about.name)),
    facts([
      ['Index', String(bone)], ['Parent', parent?.name ?? 'none'], ['Locked', about.lockTranslation ? 'translation' : null],
      ['Position', h('span', { data: { value: 'position' } })], ['Rotation', h('span', { data: { value: 'rotation' } })],
      ['Scale', h('span', { data: { value: 'scale' } })], ['In the model', h('span', { data: { value: 'model' } })],
    ]),
    subject.clip && trailSwitch(app, bone),
    ...(void queueMicrotask(() => updatePose(app, document.body, app.store.state)), []),
  ].filter((node): node is HTMLElement => node instanceof HTMLElement);
}

/** Draws the bone's way through the clip. */
function trailSwitch(app: App, bone: number): HTMLElement {
  return toggle('Its way through the clip', app.store.state.trails.includes(bone), () => app.session.view.toggleTrail(bone));
}

/** Writes the bone's values at the current frame. */
function updatePose(_app: App, root: HTMLElement, { subject, bone, frame, rig }: State): void {
  if (subject?.kind !== 'motion' || bone === null) return;
  const { actor } = subject;
  if (!rig && actor.clip) actor.poseLocal(frame);
  const at = bone * kFloats;
  const text = (values: Float32Array, from: number, count: number) => [...values.subarray(at + from, at + from + count)].map((value) => value.toFixed(4)).join('  ');
  const values: Record<string, string> = {
    position: text(actor.local, 0, 3), rotation: text(actor.local, 3, 4), scale: text(actor.local, 7, 3), model: text(actor.model, 0, 3),
  };
  for (const element of root.querySelectorAll<HTMLElement>('[data-value]')) element.textContent = values[element.dataset.value!] ?? '';
}
