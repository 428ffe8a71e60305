// SPDX-License-Identifier: MIT
// Curves of the selected bone, of pinned ones and of the float tracks, with the knots that the file stores. All plots show
// the same frames: the wheel zooms, a drag pans, a click goes to the frame.
import { download } from '../files/download';
import { stemOf } from '../files/entry';
import { CurveGroup, curvesCsv, curvesOf, differenceOf } from '../store/curves';
import { App } from './app';
import { button, figure, h } from './dom';
import { Plot, Range, kPlotColours } from './plot';

const kMostPinned = 4;

export function curvesPanel(app: App): HTMLElement {
  const { store, session } = app;
  const plots = h('div', { class: 'plots' });
  const title = h('span', { class: 'grow quiet' });
  const now = h('output', { class: 'now' });
  const range: Range = { from: 0, to: 1 };
  let groups: CurveGroup[] = [];
  let shown: Plot[] = [];
  let clip: unknown = null;
  const paint = () => shown.forEach((plot) => plot.paint(range, store.state.frame));
  const degrees = button('Degrees', () => session.view.flip('degrees'), { class: 'chip', title: 'rotations about X, Y and Z in degrees, or as quaternions' });
  const pin = button('Pin', () => session.view.pinBone(), { class: 'chip', title: 'keep the curves of this bone beside those of the next' });
  const panel = h(
    'section',
    { class: 'curves', hidden: true, aria: { label: 'Curves' } },
    h('div', { class: 'row wrap' }, title, now, degrees, pin, button('Whole clip', () => (Object.assign(range, { from: 0, to: session.view.lastFrame }), paint()), { class: 'chip' }), button('Download CSV', () => download(`${stem(app)}_curves.csv`, curvesCsv(groups), 'text/csv'))),
    plots,
  );
  let turn = 0;
  store.watch(['curves', 'bone', 'subject', 'degrees', 'pinned', 'comparison'], async ({ curves, bone, subject, degrees: isInDegrees, pinned }) => {
    panel.hidden = !curves || subject?.kind !== 'motion' || !subject.clip;
    degrees.setAttribute('aria-pressed', String(isInDegrees));
    pin.setAttribute('aria-pressed', String(bone !== null && pinned.includes(bone)));
    pin.disabled = bone === null;
    if (panel.hidden || subject?.kind !== 'motion') return;
    const mine = ++turn;
    const made = await allCurves(app, bone, pinned.slice(-kMostPinned));
    if (mine !== turn) return;
    if (clip !== subject.actor) Object.assign(range, { from: 0, to: session.view.lastFrame });
    clip = subject.actor;
    groups = made;
    title.textContent = bone === null && pinned.length === 0 ? 'Select a bone to see its curves.' : `${bone === null ? '' : `${subject.actor.bones[bone]?.name}: `}lines are frames, dots are knots that the file stores`;
    shown = groups.map((group) => {
      const plot = new Plot(group, describe(group));
      plot.listen({ range, last: session.view.lastFrame, changed: paint, now: () => store.state.frame, goTo: (frame) => session.view.goTo(frame), hover: (frame) => (now.textContent = frame === null ? '' : valuesAt(group, frame)) });
      return plot;
    });
    plots.replaceChildren(...shown.map((plot) => h('figure', {}, caption(plot.group), plot.canvas)));
    paint();
  });
  store.watch(['frame', 'theme'], () => !panel.hidden && paint());
  new ResizeObserver(paint).observe(plots);
  return panel;
}
const stem = (app: App) => (app.store.state.subject ? stemOf(app.session.entry(app.store.state.subject.file).path) : 'clip');

/** The groups of the selected bone, then those of the pinned ones, and the difference to the other clip. */
async function allCurves(app: App, bone: number | null, pinned: readonly number[]): Promise<CurveGroup[]> {
  const { session } = app;
  const { degrees, subject } = app.store.state;
  const groups = await curvesOf(session, bone, degrees);
  for (const each of pinned) {
    if (each === bone || subject?.kind !== 'motion') continue;
    const name = subject.actor.bones[each]?.name ?? '';
    for (const group of (await curvesOf(session, each, degrees, false)).slice(0, 2)) groups.push({ ...group, title: `${group.title} of ${name}` });
  }
  const difference = bone === null ? null : differenceOf(session, bone);
  return difference ? [difference, ...groups] : groups;
}

function valuesAt(group: CurveGroup, frame: number): string {
  return `frame ${frame}: ${group.curves.slice(0, 6).map((curve) => `${curve.name} ${figure(curve.values[frame] ?? NaN, 4)}`).join('  ')}`;
}
/** In words, for who does not see the plot. */
function describe(group: CurveGroup): string {
  return `${group.title}: ${group.curves.map((curve) => `${curve.name} from ${figure(Math.min(...curve.values))} to ${figure(Math.max(...curve.values))}`).join(', ')}`;
}
function caption(group: CurveGroup): HTMLElement {
  const words = group.unit ? `${group.title}, ${group.unit}` : group.title;
  return h('figcaption', { title: `${words}: ${group.curves.map(({ name }) => name).join(', ')}` }, h('span', {}, words), legend(group));
}
function legend(group: CurveGroup): HTMLElement {
  return h(
    'span',
    { class: group.curves.every(({ name }) => name.length === 1) ? 'legend short' : 'legend' },
    ...group.curves.slice(0, 4).map((curve, i) => {
      const mark = h('span', {}, curve.name);
      mark.style.color = `var(${kPlotColours[i % 4]})`;
      return mark;
    }),
  );
}
