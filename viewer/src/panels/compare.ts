// SPDX-License-Identifier: MIT
import { nameOf } from '../files/entry';
import type { State } from '../store/state';
import { App } from './app';
import { figure, h, labelled, select, toggle } from './dom';

/** Two clips: overlaid or side by side, differences as colours and as a list, the largest first. */
export function comparePanel(app: App): HTMLElement {
  const choose = h('div', {});
  const result = h('div', {});
  app.store.watch(['files', 'subject', 'comparison'], ({ files, subject, comparison }) => {
    const others = files.filter((file) => file.id !== subject?.file);
    const list = select(
      [['', 'nothing'], ...others.map((file) => [String(file.id), nameOf(file.path)] as const)],
      comparison ? String(comparison.file) : '',
      (value) => void app.session.compare(value ? Number(value) : null),
    );
    choose.replaceChildren(labelled('Compare with', list));
  });
  app.store.watch(['comparison', 'bone', 'subject'], (state) => result.replaceChildren(...differences(app, state)));
  return h(
    'section',
    { class: 'panel scroll', aria: { label: 'Compare' } },
    h('h2', {}, 'Compare'),
    choose,
    toggle('Side by side', app.store.state.sideBySide, (on) => app.session.view.flip('sideBySide', on)),
    result,
  );
}

function differences(app: App, { comparison, subject, bone }: State): Node[] {
  if (!comparison || subject?.kind !== 'motion') return [h('p', { class: 'note' }, 'Open a second clip of the same skeleton and choose it here. Bones that differ are coloured from blue to red.')];
  // Less than that is the rounding of floats.
  const seen = (value: number) => (value > 1e-4 ? figure(value) : '0');
  const worst = comparison.bones.filter((each) => each.degrees > 1e-4 || each.units > 1e-4);
  const rows = worst.slice(0, 60).map((each) =>
    h(
      'tr',
      { aria: { selected: String(each.bone === bone) }, on: { click: () => app.session.view.selectBone(each.bone) } },
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link' }, subject.actor.bones[each.bone]!.name)),
      h('td', {}, `${seen(each.degrees)}°`),
      h('td', {}, seen(each.units)),
    ),
  );
  const table = h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Bone'), h('th', { scope: 'col' }, 'Turn'), h('th', { scope: 'col' }, 'Units'))), h('tbody', {}, ...rows));
  const others = comparison.report.differences.filter((each) => each.kind !== 'track');
  return [
    h('p', { class: 'note' }, worst.length === 0 ? 'All bones move alike.' : `${worst.length} bones differ; the largest difference over all frames:`),
    worst.length > 0 && table,
    others.length > 0 && h('h2', {}, 'In the files'),
    ...others.slice(0, 40).map((each) => h('p', { class: 'note' }, `${each.field || each.object}: ${each.left ?? 'none'} → ${each.right ?? 'none'}${each.size === null ? '' : ` (${figure(each.size)} ${each.unit})`}`)),
  ].flatMap((node): Node[] => (node ? [node] : []));
}
