// SPDX-License-Identifier: MIT
import type { Finding } from '../abi/reports';
import type { State } from '../store/state';
import { App } from './app';
import { button, h } from './dom';

const kOrder = ['error', 'warning', 'info'];

/** The findings of `check`; a click goes to the bone. */
export function checkPanel(app: App): HTMLElement {
  const list = h('div', {});
  app.store.watch(['findings', 'subject'], (state) => {
    const { findings } = state;
    if (!findings) return list.replaceChildren(h('p', { class: 'note' }, 'Finds what would crash, T-pose or jitter in the game.'));
    const sorted = [...findings].sort((a, b) => kOrder.indexOf(a.level) - kOrder.indexOf(b.level));
    list.replaceChildren(
      ...(sorted.length === 0 ? [h('p', { class: 'note good' }, 'Nothing is wrong with this file.')] : sorted.map((finding) => row(app, state, finding))),
    );
  });
  return h('section', { class: 'panel scroll', aria: { label: 'Check' } }, h('h2', {}, 'Check'), button('Check this file', () => void app.session.check()), list);
}

/** The bone that a finding is about: the longest name that its place or its sentence mentions. */
export function boneOf({ subject }: State, finding: Finding): number | null {
  if (subject?.kind !== 'motion') return null;
  const track = /\btrack(?:s?\[| )(\d+)/.exec(finding.where);
  const text = `${finding.where} ${finding.message}`;
  const last = /^bone ([^,]*)/.exec(finding.where)?.[1]?.split('/').at(-1);
  let found: number | null = null, length = 0;
  subject.actor.bones.forEach((bone, i) => {
    if (bone.name === last) [found, length] = [i, Infinity];
    else if (bone.name.length > length && bone.name.length > 2 && text.includes(bone.name)) [found, length] = [i, bone.name.length];
  });
  return found ?? (track && Number(track[1]) < subject.actor.bones.length ? Number(track[1]) : null);
}

function row(app: App, state: State, finding: Finding): HTMLElement {
  const bone = boneOf(state, finding);
  const go = () => {
    if (bone === null) return;
    app.session.view.revealBone(bone);
    app.store.tell();
    app.stage.frame();
  };
  const shown = h(
    'button',
    { type: 'button', class: `finding ${finding.level}`, disabled: bone === null, on: { click: go } },
    h('span', { class: 'code' }, `${finding.level}: ${finding.code}`),
    h('span', {}, finding.message),
    h('span', { class: 'quiet' }, finding.where),
  );
  const { cure } = finding;
  if (!cure) return shown;
  const known = Object.entries(cure.options).map(([name, value]) => `${name} ${String(value)}`).join(', ');
  const fix = app.session.canFix(cure) ? [button('Fix', () => void app.session.fix(cure), { title: 'repair it in a copy' })] : [];
  return h('div', { class: 'cured' }, shown, h('div', { class: 'row' }, h('span', { class: 'quiet' }, `Cure: ${cure.operation}${known ? ` (${known})` : ''}`), ...fix));
}
