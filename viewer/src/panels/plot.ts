// SPDX-License-Identifier: MIT
// One plot: curves over frames.
import type { Curve, CurveGroup } from '../store/curves';
import { figure, h } from './dom';

export const kPlotColours = ['--curve-0', '--curve-1', '--curve-2', '--curve-3'];
const kPadding = 6;
/** Room for the numbers at the left. */
const kLabels = 46;
const kFewestFrames = 2;

/** The frames that plots show. */
export interface Range {
  from: number;
  to: number;
}
interface Listeners {
  range: Range;
  last: number;
  changed(): void;
  /** The frame that the clip is at. */
  now(): number;
  goTo(frame: number): void;
  hover(frame: number | null): void;
}

export class Plot {
  readonly canvas: HTMLCanvasElement;

  constructor(
    readonly group: CurveGroup,
    words: string,
  ) {
    this.canvas = h('canvas', { role: 'img', tabIndex: 0, title: 'wheel or + and -: zoom; drag or page keys: pan; click: go to the frame', aria: { label: words } });
  }

  private frameAt(x: number, { from, to }: Range): number {
    const box = this.canvas.getBoundingClientRect();
    return from + ((x - box.left - kLabels) / Math.max(box.width - kLabels - kPadding, 1)) * (to - from);
  }
  listen({ range, last, changed, now, goTo, hover }: Listeners): void {
    const { canvas } = this;
    const clip = (frame: number) => Math.min(Math.max(Math.round(frame), 0), last);
    /** Shows the frames from one on, as many as there are from there. */
    const show = (from: number, wide: number) => {
      range.from = Math.min(Math.max(from, 0), Math.max(last - wide, 0));
      range.to = range.from + wide;
      changed();
    };
    const zoom = (factor: number, at: number) => {
      const wide = Math.min(Math.max((range.to - range.from) * factor, kFewestFrames), Math.max(last, kFewestFrames));
      show(at - ((at - range.from) / (range.to - range.from)) * wide, wide);
    };
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      zoom(Math.exp(event.deltaY * 0.0015), this.frameAt(event.clientX, range));
    }, { passive: false });
    canvas.addEventListener('keydown', (event) => {
      const wide = range.to - range.from;
      const act = { '+': () => zoom(0.8, now()), '=': () => zoom(0.8, now()), '-': () => zoom(1.25, now()), PageUp: () => show(range.from - wide / 2, wide), PageDown: () => show(range.from + wide / 2, wide) }[event.key];
      if (!act || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });
    // One pointer pans, or goes to a frame if it does not move; two zoom.
    const down = new Map<number, number>();
    let moved = false;
    canvas.addEventListener('pointerdown', (event) => {
      if (down.size === 0) moved = false;
      down.set(event.pointerId, event.clientX);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      hover(clip(this.frameAt(event.clientX, range)));
      const before = down.get(event.pointerId), x = event.clientX;
      if (before === undefined || (!moved && Math.abs(x - before) <= 3)) return;
      moved = true;
      const wide = range.to - range.from;
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      if (other === undefined) show(range.from - ((x - before) / Math.max(canvas.clientWidth - kLabels, 1)) * wide, wide);
      else zoom(Math.max(Math.abs(before - other), 1) / Math.max(Math.abs(x - other), 1), this.frameAt((x + other) / 2, range));
      down.set(event.pointerId, x);
    });
    canvas.addEventListener('pointerup', (event) => {
      if (down.delete(event.pointerId) && !moved) goTo(clip(this.frameAt(event.clientX, range)));
    });
    canvas.addEventListener('pointercancel', (event) => down.delete(event.pointerId));
    canvas.addEventListener('pointerleave', () => hover(null));
  }

  paint({ from, to }: Range, frame: number): void {
    const { canvas, group } = this;
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
      for (let f = Math.max(Math.floor(from), 0); f <= Math.min(Math.ceil(to), values.length - 1); ++f) [low, high] = [Math.min(low, values[f]!), Math.max(high, values[f]!)];
    if (high - low < 1e-6) [low, high] = [low - 0.5, high + 0.5];
    const x = (at: number) => kLabels + ((at - from) / Math.max(to - from, 1e-6)) * (width - kLabels - kPadding);
    const y = (value: number) => height - kPadding - ((value - low) / (high - low)) * (height - 2 * kPadding);
    context.save();
    context.beginPath();
    context.rect(kLabels - 3, 0, width - kLabels + 3, height);
    context.clip();
    context.strokeStyle = style.getPropertyValue('--line');
    context.beginPath();
    if (low < 0 && high > 0) context.moveTo(kLabels, y(0)), context.lineTo(width, y(0));
    context.stroke();
    group.curves.forEach((curve, i) => drawCurve(context, curve, style.getPropertyValue(kPlotColours[i % 4]!), x, y));
    context.strokeStyle = style.getPropertyValue('--accent');
    context.beginPath();
    context.moveTo(x(frame), 0);
    context.lineTo(x(frame), height);
    context.stroke();
    context.restore();
    context.fillStyle = style.getPropertyValue('--quiet');
    context.font = '10px system-ui, sans-serif';
    context.textAlign = 'right';
    context.fillText(figure(high), kLabels - 5, 10);
    context.fillText(figure(low), kLabels - 5, height - 3);
  }
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
