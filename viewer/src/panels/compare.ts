// SPDX-License-Identifier: MIT
import { nameOf } from '../files/entry';
import type { CompareHow, State } from '../store/state';
import { App } from './app';
import { kHotDegrees, kHotMetres } from '../store/compare';
import { figure, h, labelled, select } from './dom';

/** Two clips: over each other, side by side or in turns; differences as colours and as a list, the largest first. */
export function comparePanel(app: App): HTMLElement {
  const choose = h('div', {});
  const result = h('div', {});
  const how = select(kHow, app.store.state.compareHow, (value) => app.session.view.compareHow(value as CompareHow));
  app.store.watch(['compareHow'], ({ compareHow }) => (how.value = compareHow));
  app.store.watch(['files', 'subject', 'comparison', 'right'], ({ files, subject, comparison, right }) => {
    // A list of all files is made when somebody looks at it.
    if (right !== 'compare') return;
    const others = files.filter((file) => file.id !== subject?.file).map((file) => [`${file.id}`, nameOf(file.path)] as const);
    // Of a file with several clips, each of the others.
    const own = subject?.kind === 'motion' ? subject.clips.flatMap((name, i) => (i === subject.clipIndex ? [] : [[`${subject.file} ${i}`, `${name} (this file)`] as const])) : [];
    const isOwn = comparison?.file === subject?.file;
    const list = select([['', 'nothing'], ...own, ...others], comparison ? `${comparison.file}${isOwn ? ` ${comparison.clipIndex}` : ''}` : '', (value) => {
      const [file, clip = 0] = value.split(' ').map(Number);
      void app.session.compare(value ? file! : null, clip);
    });
    const clips = comparison && !isOwn && comparison.clips.length > 1 ? select(comparison.clips.map((name, i) => [String(i), name] as const), String(comparison.clipIndex), (value) => void app.session.compare(comparison.file, Number(value))) : null;
    choose.replaceChildren(labelled('Compare with', list), ...(clips ? [labelled('Its clip', clips)] : []));
  });
  app.store.watch(['comparison', 'bone', 'subject'], (state) => result.replaceChildren(...differences(app, state)));
  return h(
    'section',
    { class: 'panel scroll', aria: { label: 'Compare' } },
    h('h2', {}, 'Compare'),
    choose,
    labelled('Seen', how),
    legend(app),
    result,
  );
}

const kHow: readonly (readonly [CompareHow, string])[] = [['overlay', 'over each other'], ['side', 'side by side'], ['turns', 'in turns']];

/** What the colours of the two figures mean. */
function legend(app: App): HTMLElement {
  const list = h('div', { class: 'compare-legend' });
  app.store.watch(['comparison', 'subject', 'theme', 'isFirstTurn', 'compareHow'], ({ comparison, subject, compareHow, isFirstTurn }) => {
    list.hidden = !comparison || !subject;
    if (!comparison || subject?.kind !== 'motion') return;
    const name = ({ file, clips, clipIndex }: { file: number; clips: readonly string[]; clipIndex: number }) => nameOf(app.session.entry(file).path) + (clips.length > 1 ? `: ${clips[clipIndex]}` : '');
    const mark = (isSeen: boolean) => (compareHow === 'turns' && isSeen ? ' (now)' : '');
    list.replaceChildren(
      h('div', { class: 'row' }, h('span', { class: 'heat', role: 'img', aria: { label: 'from blue, equal, to red, far apart' } }), h('span', {}, name(subject) + mark(isFirstTurn))),
      h('div', { class: 'heat-ends quiet' }, h('span', {}, 'equal'), h('span', {}, `${kHotDegrees}° or ${kHotMetres * 100} cm apart`)),
      h('div', { class: 'row' }, h('span', { class: 'swatch second' }), h('span', {}, name(comparison) + mark(!isFirstTurn))),
    );
  });
  return list;
}

function differences(app: App, { comparison, subject, bone }: State): Node[] {
  if (!comparison || subject?.kind !== 'motion') return [h('p', { class: 'note' }, 'Open a second clip of the same skeleton and choose it here. Bones that differ are coloured from blue to red.')];
  if (comparison.bones.length === 0) return [h('p', { class: 'note' }, 'No bone has the same name in both, so there is nothing to compare bone by bone.')];
  // Less than that is the rounding of floats.
  const seen = (value: number) => (value > 1e-4 ? figure(value) : '0');
  const worst = comparison.bones.filter((each) => each.degrees > 1e-4 || each.units > 1e-4);
  const rows = worst.slice(0, 60).map((each) =>
    h(
      'tr',
      { aria: { selected: String(each.bone === bone) }, title: `at frame ${each.frame}`, on: { click: () => goToDifference(app, each.bone, each.frame) } },
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link' }, subject.actor.bones[each.bone]!.name)),
      h('td', {}, `${seen(each.degrees)}°`),
      h('td', {}, seen(each.units)),
      h('td', {}, figure(each.frame)),
    ),
  );
  const table = h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Bone'), h('th', { scope: 'col' }, 'Turn'), h('th', { scope: 'col' }, 'Units'), h('th', { scope: 'col' }, 'Frame'))), h('tbody', {}, ...rows));
  const others = comparison.report.differences.filter((each) => each.kind !== 'track');
  return [
    h('p', { class: 'note' }, worst.length === 0 ? 'All bones move alike.' : `${worst.length} bones differ; the largest difference over all frames:`),
    worst.length > 0 && table,
    others.length > 0 && h('h2', {}, 'In the files'),
    ...others.slice(0, 40).map((each) => h('p', { class: 'note' }, `${each.field || each.object}: ${each.left ?? 'none'} → ${each.right ?? 'none'}${each.size === null ? '' : ` (${figure(each.size)} ${each.unit})`}`)),
  ].flatMap((node): Node[] => (node ? [node] : []));
}

/** Shows the frame at which a bone differs most. */
function goToDifference(app: App, bone: number, frame: number): void {
  app.session.view.selectBone(bone);
  app.session.view.goTo(frame);
}
