// SPDX-License-Identifier: MIT
// Names beside bones: of the one under the pointer, of all where there is room, and the distance on a ruler.
import { App } from './app';
import { figure, h } from './dom';

const kHeight = 15, kMargin = 2, kFont = '11px';
/** Where a name may stand beside its bone: steps across and down, tried in this order. */
const kPlaces: readonly (readonly [number, number])[] = [[14, -8], [-14, -8], [26, -26], [-26, -26], [26, 14], [-26, 14], [60, -8], [-60, -8], [60, -40], [-60, -40]];

interface Box {
  left: number;
  top: number;
  width: number;
}
const overlaps = (a: Box, b: Box) => a.left < b.left + b.width + kMargin && b.left < a.left + a.width + kMargin && Math.abs(a.top - b.top) < kHeight;

/** The name of the bone under the pointer. */
export function boneLabel(app: App): HTMLElement {
  const label = h('div', { class: 'label', hidden: true });
  app.store.watch(['hovered', 'bone', 'frame', 'subject'], ({ hovered, subject }) => {
    const bone = hovered !== null && subject?.kind === 'motion' ? subject.actor.bones[hovered] : undefined;
    label.hidden = !bone;
    if (!bone || hovered === null) return;
    const { x, y } = app.stage.project(hovered);
    label.textContent = bone.name;
    label.style.transform = `translate(${Math.round(x + 10)}px, ${Math.round(y - 26)}px)`;
  });
  return label;
}

/** Names of all bones that are drawn, as many as fit, each with a line to its bone. */
export function allNames(app: App): HTMLElement {
  const lines = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const layer = h('div', { class: 'names', hidden: true, aria: { hidden: 'true' } }, lines);
  const measured = h('div', { class: 'label measure', hidden: true, role: 'status' });
  let spans: HTMLElement[] = [];
  let order: number[] = [], widths: number[] = [];
  const kept = new Map<number, number>();
  app.store.watch(['names', 'subject', 'helpers'], ({ names, subject }) => {
    layer.hidden = !names || subject?.kind !== 'motion';
    spans = layer.hidden || subject?.kind !== 'motion' ? [] : subject.actor.bones.map((bone) => h('span', {}, bone.name));
    kept.clear();
    widths = widthsOf(spans);
    // What is near the root is what one looks for first; fingers come last.
    order = subject?.kind === 'motion' ? subject.actor.bones.map((_, i) => i).sort((a, b) => depthOf(subject.actor.parents, a) - depthOf(subject.actor.parents, b)) : [];
    layer.replaceChildren(lines, ...spans);
    app.stage.invalidate();
  });
  app.stage.onDrawn = () => {
    showRuler(app, measured);
    if (!layer.hidden) place();
  };
  const place = () => {
    const { clientWidth: width, clientHeight: height } = app.stage.canvas;
    const taken: Box[] = [];
    const drawn: string[] = [];
    const { bone: selected } = app.store.state;
    const first = selected === null ? order : [selected, ...order.filter((bone) => bone !== selected)];
    for (const bone of first) {
      const span = spans[bone];
      if (!span) continue;
      const { x, y, isInFront } = app.stage.project(bone);
      const size = widths[bone]!;
      const at = isInFront && app.stage.isDrawn(bone) ? roomFor(x, y, size, taken, width, height, kept.get(bone)) : -1;
      span.style.display = at < 0 ? 'none' : '';
      if (at < 0) continue;
      kept.set(bone, at);
      const box = boxAt(x, y, size, at);
      taken.push(box);
      span.style.transform = `translate(${Math.round(box.left)}px, ${Math.round(box.top)}px)`;
      const end = kPlaces[at]![0] > 0 ? box.left - 2 : box.left + size + 2;
      drawn.push(`M${x.toFixed(1)} ${y.toFixed(1)}L${end.toFixed(1)} ${(box.top + kHeight / 2).toFixed(1)}`);
    }
    lines.replaceChildren(pathOf(drawn.join('')));
  };
  return h('div', {}, layer, measured);
}

/** How wide names are, measured without laying them out. */
function widthsOf(spans: readonly HTMLElement[]): number[] {
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = `${kFont} ${getComputedStyle(document.body).fontFamily}`;
  return spans.map((span) => Math.ceil(context?.measureText(span.textContent ?? '').width ?? 100));
}
function depthOf(parents: Int32Array, bone: number): number {
  let depth = 0;
  for (let at = parents[bone]!; at >= 0; at = parents[at]!) ++depth;
  return depth;
}
const boxAt = (x: number, y: number, size: number, at: number): Box => {
  const [dx, dy] = kPlaces[at]!;
  return { left: dx > 0 ? x + dx : x + dx - size, top: y + dy, width: size };
};
/** Returns the number of a free place for a name, first the one that it had; -1 if there is none. */
function roomFor(x: number, y: number, size: number, taken: readonly Box[], width: number, height: number, before: number | undefined): number {
  const tries = before === undefined ? [...kPlaces.keys()] : [before, ...[...kPlaces.keys()].filter((at) => at !== before)];
  return tries.find((at) => {
    const box = boxAt(x, y, size, at);
    return box.left >= 0 && box.left + size <= width && box.top >= 44 && box.top + kHeight <= height && !taken.some((other) => overlaps(box, other));
  }) ?? -1;
}
function pathOf(d: string): SVGPathElement {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', d);
  return path;
}

/** The distance between the two bones of the ruler. */
function showRuler(app: App, label: HTMLElement): void {
  const { ruler, isMeasuring, subject } = app.store.state;
  label.hidden = !isMeasuring || subject?.kind !== 'motion';
  if (label.hidden || subject?.kind !== 'motion') return;
  const [a, b] = ruler;
  const { width } = app.stage.canvas.getBoundingClientRect();
  if (a === undefined || b === undefined) {
    label.textContent = a === undefined ? 'Ruler: click the first bone' : `Ruler: ${subject.actor.bones[a]?.name ?? ''} to … click the second bone`;
    label.style.transform = `translate(${Math.round(width / 2 - 100)}px, 54px)`;
    return;
  }
  const metres = app.stage.metresBetween(a, b);
  const one = app.stage.project(a), two = app.stage.project(b);
  label.textContent = `${figure(metres * 100)} cm, ${figure(metres / subject.actor.metresPerUnit)} units`;
  label.style.transform = `translate(${Math.round((one.x + two.x) / 2 + 10)}px, ${Math.round((one.y + two.y) / 2 - 10)}px)`;
}
