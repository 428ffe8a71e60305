// SPDX-License-Identifier: MIT
// Elements in one line each.

type Child = Node | string | null | undefined | false;
type Props<K extends keyof HTMLElementTagNameMap> = {
  [P in keyof HTMLElementTagNameMap[K]]?: HTMLElementTagNameMap[K][P];
} & { class?: string; data?: Record<string, string>; aria?: Record<string, string>; on?: Record<string, (event: any) => void>; role?: string };

/** Makes an element: properties, classes, listeners, children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props<K> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { class: classes, data, aria, on, role, ...rest } = props as Props<K> & Record<string, unknown>;
  if (classes) element.className = classes as string;
  if (role) element.setAttribute('role', role as string);
  for (const [name, value] of Object.entries(data ?? {})) element.dataset[name] = value;
  for (const [name, value] of Object.entries(aria ?? {})) element.setAttribute(`aria-${name}`, value);
  for (const [name, listener] of Object.entries(on ?? {})) element.addEventListener(name, listener);
  Object.assign(element, rest);
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

export function button(label: string, press: () => void, props: Props<'button'> = {}): HTMLButtonElement {
  return h('button', { type: 'button', ...props, on: { ...(props.on ?? {}), click: press } }, label);
}

/** A button with a sign on it and its name for screen readers and tooltips. */
export function iconButton(icon: string, name: string, press: () => void, props: Props<'button'> = {}): HTMLButtonElement {
  const made = button('', press, { title: name, ...props, class: `icon ${props.class ?? ''}`.trim() });
  made.setAttribute('aria-label', name);
  made.append(sign(icon));
  return made;
}

/** Signs are drawn as lines in a box of 16 by 16. */
const kSigns: Record<string, string> = {
  play: 'M4 2.5v11l9-5.5z',
  pause: 'M4.5 3v10M11.5 3v10',
  back: 'M11 3 6 8l5 5M4 3v10',
  forward: 'M5 3l5 5-5 5M12 3v10',
  loop: 'M3 8a5 5 0 0 1 8.5-3.5L13 6M13 3v3h-3M13 8a5 5 0 0 1-8.5 3.5L3 10M3 13v-3h3',
  undo: 'M6 3 2.5 6.5 6 10M3 6.5h6a4 4 0 0 1 0 8H7',
  redo: 'M10 3l3.5 3.5L10 10M13 6.5H7a4 4 0 0 0 0 8h2',
  open: 'M2 12.5v-9h4l1.5 2H14v7z',
  save: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  help: 'M6 6a2 2 0 1 1 2.8 1.8c-.6.3-.8.7-.8 1.4M8 11.8v.2',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  reset: 'M3 8a5 5 0 1 0 1.5-3.5L3 6M3 3v3h3',
  step: 'M4 3v10l6-5zM12.5 3v10',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  frame: 'M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3',
  camera: 'M2 5h3l1-2h4l1 2h3v8H2zM8 7a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  film: 'M2 3h12v10H2zM5 3v10M11 3v10M2 8h12',
  panelLeft: 'M2 3h12v10H2zM6 3v10',
  panelRight: 'M2 3h12v10H2zM10 3v10',
  curve: 'M2 12c3 0 3-8 6-8s3 8 6 8',
};
export function sign(name: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', kSigns[name] ?? '');
  svg.append(path);
  return svg;
}

let lastLabel = 0;
/** A control with its label in front. */
export function labelled(label: string, control: HTMLElement, hint = '', after?: Node): HTMLElement {
  control.id ||= `control-${++lastLabel}`;
  const text = h('label', { htmlFor: control.id, title: hint }, ...breakable(label));
  return h('div', { class: 'field' }, text, control, after);
}

/** A text that may break between its words, also if they are written as one: `MechanicalFriction`, `walk_forward.hkx`. */
export function breakable(text: string): Child[] {
  return text.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[_/\\])(?![_/\\])|(?<=\w)(?=\.[a-z])/).flatMap((word, i) => (i === 0 ? [word] : [document.createElement('wbr'), word]));
}

/** A tick box with its words. */
export function toggle(label: string, isOn: boolean, change: (on: boolean) => void, hint = ''): HTMLLabelElement {
  const box = h('input', { type: 'checkbox', checked: isOn, on: { change: () => change(box.checked) } });
  return h('label', { class: 'toggle', title: hint }, box, h('span', {}, label));
}

export function select(options: readonly (readonly [value: string, label: string])[], value: string, change: (value: string) => void, name = ''): HTMLSelectElement {
  const made = h('select', { on: { change: () => change(made.value) } });
  if (name) made.setAttribute('aria-label', name);
  for (const [each, label] of options) made.append(h('option', { value: each, selected: each === value }, label));
  return made;
}

/** Rows of names and values. */
export function facts(rows: readonly (readonly [string, string | Node | null | undefined])[]): HTMLElement {
  const list = h('dl', { class: 'facts' });
  for (const [name, value] of rows)
    if (value !== null && value !== undefined && value !== '') list.append(h('dt', {}, name), h('dd', {}, ...(typeof value === 'string' ? breakable(value) : [value])));
  return list;
}

/** A number as people read it. */
export function figure(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(2);
  return String(Number(value.toFixed(Math.max(0, digits - Math.floor(Math.log10(size)) - (size >= 1 ? 1 : 0)))));
}
export function bytesText(size: number): string {
  return size < 1024 ? `${size} B` : size < 1 << 20 ? `${(size / 1024).toFixed(1)} KB` : `${(size / (1 << 20)).toFixed(1)} MB`;
}
