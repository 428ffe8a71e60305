// SPDX-License-Identifier: MIT
// Curves of the selected bone and of the float tracks, with the keys and knots that the file stores.
import { download } from '../files/download';
import { stemOf } from '../files/entry';
import { Curve, CurveGroup, curvesCsv, curvesOf } from '../store/curves';
import { App } from './app';
import { button, figure, h } from './dom';

const kColours = ['--curve-0', '--curve-1', '--curve-2', '--curve-3'];
const kPadding = 6;
/** Room for the numbers at the left. */
const kLabels = 46;

export function curvesPanel(app: App): HTMLElement {
  const plots = h('div', { class: 'plots' });
  const title = h('span', { class: 'grow quiet' });
  let groups: CurveGroup[] = [];
  let canvases: { canvas: HTMLCanvasElement; group: CurveGroup }[] = [];
  const paint = () => canvases.forEach(({ canvas, group }) => drawGroup(canvas, group, app.store.state.frame));
  const panel = h(
    'section',
    { class: 'curves', hidden: true, aria: { label: 'Curves' } },
    h('div', { class: 'row' }, title, button('Download CSV', () => download(`${stem(app)}_curves.csv`, curvesCsv(groups), 'text/csv'))),
    plots,
  );
  let turn = 0;
  app.store.watch(['curves', 'bone', 'subject'], async ({ curves, bone, subject }) => {
    panel.hidden = !curves || subject?.kind !== 'motion' || !subject.clip;
    if (panel.hidden || subject?.kind !== 'motion') return;
    const mine = ++turn;
    const made = await curvesOf(app.session, bone);
    if (mine !== turn) return;
    groups = made;
    title.textContent = bone === null ? 'Select a bone to see its curves.' : `${subject.actor.bones[bone]?.name}: lines are frames, dots are knots that the file stores`;
    canvases = groups.map((group) => ({ canvas: h('canvas', { role: 'img', aria: { label: describe(group) } }), group }));
    plots.replaceChildren(...canvases.map(({ canvas, group }) => h('figure', {}, h('figcaption', {}, group.unit ? `${group.title}, ${group.unit}` : group.title, legend(group)), canvas)));
    paint();
  });
  app.store.watch(['frame', 'theme'], () => !panel.hidden && paint());
  new ResizeObserver(paint).observe(plots);
  return panel;
}
const stem = (app: App) => (app.store.state.subject ? stemOf(app.session.entry(app.store.state.subject.file).path) : 'clip');

/** In words, for who does not see the plot. */
function describe(group: CurveGroup): string {
  return `${group.title}: ${group.curves.map((curve) => `${curve.name} from ${figure(Math.min(...curve.values))} to ${figure(Math.max(...curve.values))}`).join(', ')}`;
}
function legend(group: CurveGroup): HTMLElement {
  return h(
    'span',
    { class: 'legend' },
    ...group.curves.slice(0, 4).map((curve, i) => {
      const mark = h('span', {}, curve.name);
      mark.style.color = `var(${kColours[i % 4]})`;
      return mark;
    }),
  );
}

function drawGroup(canvas: HTMLCanvasElement, group: CurveGroup, frame: number): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const sharp = Math.min(devicePixelRatio, 2);
  canvas.width = width * sharp;
  canvas.height = height * sharp;
  const context = canvas.getContext('2d');
  if (!context || width === 0) return;
  const style = getComputedStyle(canvas);
  context.scale(sharp, sharp);
  let low = Infinity, high = -Infinity;
  for (const { values } of group.curves)
    for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (high - low < 1e-6) [low, high] = [low - 0.5, high + 0.5];
  const count = group.curves[0]?.values.length ?? 1;
  const x = (at: number) => kLabels + (at / Math.max(count - 1, 1)) * (width - kLabels - kPadding);
  const y = (value: number) => height - kPadding - ((value - low) / (high - low)) * (height - 2 * kPadding);
  context.strokeStyle = style.getPropertyValue('--line');
  context.beginPath();
  if (low < 0 && high > 0) context.moveTo(kLabels, y(0)), context.lineTo(width, y(0));
  context.stroke();
  group.curves.forEach((curve, i) => drawCurve(context, curve, style.getPropertyValue(kColours[i % 4]!), x, y));
  context.strokeStyle = style.getPropertyValue('--accent');
  context.beginPath();
  context.moveTo(x(frame), 0);
  context.lineTo(x(frame), height);
  context.stroke();
  context.fillStyle = style.getPropertyValue('--quiet');
  context.font = '10px system-ui, sans-serif';
  context.textAlign = 'right';
  context.fillText(figure(high), kLabels - 5, 10);
  context.fillText(figure(low), kLabels - 5, height - 3);
}
function drawCurve(context: CanvasRenderingContext2D, curve: Curve, colour: string, x: (at: number) => number, y: (value: number) => number): void {
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.4;
  context.beginPath();
  curve.values.forEach((value, i) => (i === 0 ? context.moveTo(x(i), y(value)) : context.lineTo(x(i), y(value))));
  context.stroke();
  context.lineWidth = 1;
  for (const knot of curve.knots ?? []) {
    const low = Math.floor(knot), share = knot - low;
    const value = curve.values[low]! * (1 - share) + (curve.values[low + 1] ?? curve.values[low]!) * share;
    context.beginPath();
    context.arc(x(knot), y(value), 2.2, 0, 7);
    context.fill();
  }
}
