// SPDX-License-Identifier: MIT
// The graph of a behaviour beside the figure: state machines as boxes, to zoom, search and click through. The library lays
// it out; a click on a clip generator plays its animation.
import type { Graph } from '../store/graphs';
import { App } from './app';
import { button, h, iconButton } from './dom';

type View = [x: number, y: number, width: number, height: number];

/** Takes over the picture of a graph without what could run or would be refused by the page's policy. */
function importGraph(text: string): SVGSVGElement | null {
  // Styles and scripts go before it is parsed: the page's policy refuses them, and says so on the console.
  const plain = text.replace(/<(style|script)\b[\s\S]*?<\/\1>/g, '').replace(/\sstyle="[^"]*"/g, '');
  const parsed = new DOMParser().parseFromString(plain, 'image/svg+xml').documentElement;
  if (parsed.localName !== 'svg') return null;
  for (const each of parsed.querySelectorAll('script, style, foreignObject, image, use')) each.remove();
  for (const each of parsed.querySelectorAll('*')) for (const { name } of [...each.attributes]) if (name === 'style' || name.startsWith('on') || name.endsWith('href')) each.removeAttribute(name);
  return document.importNode(parsed, true) as unknown as SVGSVGElement;
}
const nodeOf = (box: Element): string => box.querySelector(':scope > title')?.textContent?.split(' ')[0] ?? '';

function rectOf(box: Element): { x: number; y: number; width: number; height: number } {
  const rect = box.querySelector(':scope > rect');
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => Number(rect?.getAttribute(name) ?? 0)) as View;
  return { x, y, width, height };
}
/** Writes the name of a box at its head, or alone and as large as fits. */
function setTitle(box: Element, alone: boolean): void {
  const title = box.querySelector(':scope > text');
  if (!(title instanceof SVGElement)) return;
  const { x, y, width, height } = rectOf(box);
  title.dataset.head ??= ['x', 'y', 'font-size'].map((name) => title.getAttribute(name) ?? '').join(' ');
  const size = Math.min(height * 0.4, (width * 0.92) / ((title.textContent?.length || 1) * 0.76));
  const [left, base, letters] = alone ? [x + width * 0.04, y + height / 2 + size * 0.35, `${size}px`] : title.dataset.head.split(' ');
  title.setAttribute('x', String(left));
  title.setAttribute('y', String(base));
  title.setAttribute('font-size', String(letters));
}

export function graphPanel(app: App): HTMLElement {
  const holder = h('div', { class: 'graph-holder', tabIndex: 0, role: 'group', aria: { label: 'Graph of the behaviour' } });
  const search = h('input', { type: 'search', placeholder: 'Find a state, clip or event', aria: { label: 'Find in the graph' }, class: 'grow' });
  const count = h('span', { class: 'quiet', role: 'status' });
  const canvas = new GraphCanvas(holder);
  const panel = h(
    'section',
    { class: 'graph', hidden: true, aria: { label: 'Graph' } },
    h('div', { class: 'row' }, search, count, button('Whole', () => canvas.whole(), { class: 'chip' }), iconButton('close', 'Close the graph', () => app.session.closeGraph())),
    holder,
  );
  let shown: Graph['svg'] | null = null;
  app.store.watch(['graph'], ({ graph }) => {
    panel.hidden = !graph;
    document.getElementById('app')?.classList.toggle('with-graph', graph !== null);
    if (!graph) return (shown = null);
    if (graph.svg !== shown) {
      shown = graph.svg;
      canvas.show(graph, (node) => void app.session.playNode(node));
    }
    canvas.mark(graph.playing);
  });
  search.addEventListener('input', () => (count.textContent = canvas.find(search.value)));
  search.addEventListener('keydown', (event) => event.key === 'Enter' && canvas.next());
  return panel;
}

class GraphCanvas {
  private svg: SVGSVGElement | null = null;
  private view: View = [0, 0, 1, 1];
  private all: View = [0, 0, 1, 1];
  private hits: Element[] = [];
  private at = 0;

  constructor(private readonly holder: HTMLElement) {
    holder.addEventListener('wheel', (event) => this.zoom(event), { passive: false });
    holder.addEventListener('keydown', (event) => this.key(event));
    this.listenToDrags();
    new ResizeObserver(() => this.update()).observe(holder);
  }

  show(graph: Graph, play: (node: string) => void): void {
    this.svg = importGraph(graph.svg);
    this.holder.replaceChildren(...(this.svg ? [this.svg] : [h('p', { class: 'note' }, 'The graph cannot be drawn.')]));
    if (!this.svg) return;
    this.hits = [];
    this.all = (this.svg.getAttribute('viewBox') ?? '0 0 1 1').split(/\s+/).map(Number) as View;
    this.svg.removeAttribute('width');
    this.svg.removeAttribute('height');
    this.svg.setAttribute('role', 'img');
    this.svg.setAttribute('aria-label', `State machines and ${graph.clips.length} clips`);
    const boxes = new Map<string, Element>();
    for (const box of this.svg.querySelectorAll('.clip')) if (!boxes.has(nodeOf(box))) boxes.set(nodeOf(box), box);
    for (const { node, file, animation } of graph.clips) {
      const box = boxes.get(node);
      if (!box) continue;
      box.classList.toggle('missing', file === null);
      box.setAttribute('tabindex', '0');
      box.setAttribute('role', 'button');
      box.setAttribute('aria-label', `Play ${animation}`);
      const act = (event: Event) => (event.stopPropagation(), play(node));
      box.addEventListener('click', act);
      box.addEventListener('keydown', (event) => (event as KeyboardEvent).key === 'Enter' && act(event));
    }
    for (const title of this.svg.querySelectorAll('.title')) title.addEventListener('click', (event) => this.open(title.parentElement as Element, event as MouseEvent));
    this.whole();
  }
  /** A click on a title goes into its box; with Shift it folds it. */
  private open(box: Element, event: MouseEvent): void {
    if (box.classList.contains('clip')) return;
    if (!event.shiftKey) return this.zoomTo(box);
    box.classList.toggle('folded');
    this.update();
  }
  mark(node: string | null): void {
    for (const box of this.svg?.querySelectorAll('.clip') ?? []) box.classList.toggle('playing', node !== null && nodeOf(box) === node);
  }
  whole(): void {
    this.view = [...this.all];
    this.update();
  }
  private zoomTo(box: Element): void {
    const { x, y, width, height } = rectOf(box);
    this.view = [x - width * 0.05, y - height * 0.05, width * 1.1, height * 1.1];
    this.update();
  }
  private update(): void {
    if (!this.svg) return;
    this.svg.setAttribute('viewBox', this.view.map((each) => each.toFixed(2)).join(' '));
    const scale = Math.min(this.holder.clientWidth / this.view[2], this.holder.clientHeight / this.view[3]);
    for (const box of this.svg.children) if (box.localName === 'g') this.setLevel(box, scale);
  }
  /** A box that is too small to read what is in it shows its name alone. */
  private setLevel(box: Element, scale: number): void {
    const inside = [...box.children].filter((each) => each.localName === 'g');
    if (inside.length === 0) return;
    const { width, height } = rectOf(box);
    const far = width * scale < 150 || height * scale < 70;
    const alone = far || box.classList.contains('folded');
    box.classList.toggle('far', far);
    setTitle(box, alone);
    if (!alone) for (const each of inside) this.setLevel(each, scale);
  }
  /** Marks boxes whose own words have a text. Returns how many there are. */
  find(text: string): string {
    const wanted = text.trim().toLowerCase();
    for (const hit of this.hits) hit.classList.remove('found');
    const has = (box: Element) => [...box.children].some((child) => /^(text|title)$/.test(child.localName) && child.textContent!.toLowerCase().includes(wanted));
    this.hits = wanted === '' || !this.svg ? [] : [...this.svg.querySelectorAll('g')].filter(has);
    for (const hit of this.hits) hit.classList.add('found');
    this.at = -1;
    this.next();
    return wanted === '' ? '' : `${this.hits.length} found`;
  }
  /** Goes to the next box that was found. */
  next(): void {
    const hit = this.hits[++this.at % Math.max(this.hits.length, 1)];
    if (!hit) return;
    for (let box = hit.parentElement; box; box = box.parentElement) box.classList.remove('folded');
    this.zoomTo(hit);
  }

  private zoom(event: WheelEvent): void {
    event.preventDefault();
    const matrix = this.svg?.getScreenCTM();
    if (!matrix) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    this.scale(Math.exp(event.deltaY * 0.0015), point.x, point.y);
  }
  private scale(factor: number, x: number, y: number): void {
    const [left, top, width, height] = this.view;
    this.view = [x - (x - left) * factor, y - (y - top) * factor, width * factor, height * factor];
    this.update();
  }
  private key(event: KeyboardEvent): void {
    const [left, top, width, height] = this.view;
    const steps: Record<string, () => void> = {
      ArrowLeft: () => (this.view[0] -= width * 0.1), ArrowRight: () => (this.view[0] += width * 0.1),
      ArrowUp: () => (this.view[1] -= height * 0.1), ArrowDown: () => (this.view[1] += height * 0.1),
      '+': () => this.scale(0.8, left + width / 2, top + height / 2), '-': () => this.scale(1.25, left + width / 2, top + height / 2), '0': () => this.whole(),
    };
    const act = steps[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
    this.update();
  }
  private listenToDrags(): void {
    const down = new Map<number, { x: number; y: number }>();
    this.holder.addEventListener('pointerdown', (event) => down.set(event.pointerId, { x: event.clientX, y: event.clientY }));
    for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const) this.holder.addEventListener(end, (event) => down.delete(event.pointerId));
    this.holder.addEventListener('pointermove', (event) => {
      const before = down.get(event.pointerId), matrix = this.svg?.getScreenCTM();
      if (!before || !matrix || !event.buttons) return;
      const now = { x: event.clientX, y: event.clientY };
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const apart = (a: { x: number; y: number }) => Math.hypot(a.x - other.x, a.y - other.y) || 1;
        const middle = new DOMPoint((now.x + other.x) / 2, (now.y + other.y) / 2).matrixTransform(matrix.inverse());
        this.scale(apart(before) / apart(now), middle.x, middle.y);
      } else {
        this.view[0] -= (now.x - before.x) / matrix.a;
        this.view[1] -= (now.y - before.y) / matrix.d;
        this.update();
      }
      down.set(event.pointerId, now);
    });
  }
}
