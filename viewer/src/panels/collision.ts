// SPDX-License-Identifier: MIT
import type { Color } from 'three';
import type { CollisionBody } from '../abi/reports';
import type { ColourBy, State } from '../store/state';
import { colourOfBody } from '../scene/collision';
import { App } from './app';
import { breakable, button, facts, figure, h, labelled, select, toggle } from './dom';
import { kBends } from '../scene/joints';

const kColours: readonly (readonly [ColourBy, string])[] = [['material', 'Material'], ['layer', 'Layer'], ['shape', 'Shape'], ['motion', 'Motion']];

/** Bodies with their properties, and what is drawn of them. */
export function collisionPanel(app: App): HTMLElement {
  const { store, session: { view } } = app;
  const colour = select(kColours, store.state.colourBy, (value) => view.colourBy(value as ColourBy));
  const list = h('div', { class: 'list short', role: 'listbox', tabIndex: 0, aria: { label: 'Bodies' } });
  const about = h('div', {});
  const legend = h('ul', { class: 'swatches', aria: { label: 'Colours' } });
  store.watch(['subject', 'body'], (state) => {
    list.replaceChildren(...bodyRows(app, state));
    about.replaceChildren(...aboutBody(app, state));
  });
  store.watch(['subject', 'colourBy'], (state) => {
    colour.value = state.colourBy;
    legend.replaceChildren(...legendRows(app, state));
  });
  store.watch(['bends', 'body', 'subject'], (state) => showBends(app, about, state));
  list.addEventListener('keydown', (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || store.state.subject?.kind !== 'collision') return;
    event.preventDefault();
    event.stopPropagation();
    view.browseBodies(by);
  });
  return h(
    'section',
    { class: 'panel scroll', aria: { label: 'Collision' } },
    h('h2', {}, 'Show'),
    labelled('Colour by', colour),
    legend,
    toggle('Visible meshes', store.state.meshes, (on) => view.flip('meshes', on)),
    toggle('Joints', store.state.joints, (on) => view.flip('joints', on)),
    toggle('Boxes of the trees', store.state.boxes, (on) => view.flip('boxes', on)),
    h('h2', {}, 'Bodies'),
    list,
    about,
  );
}

/** What the library reports about a body. */
function reported({ subject }: State, body: number): CollisionBody | undefined {
  if (subject?.kind !== 'collision') return undefined;
  const { system, index } = subject.bodies[body]!;
  return subject.systems[system]?.bodies[index];
}

function bodyRows(app: App, state: State): Node[] {
  const { subject } = state;
  if (subject?.kind !== 'collision') return [];
  if (subject.bodies.length === 0) return [h('p', { class: 'note', role: 'option' }, 'This file has meshes, but no collision.')];
  return subject.bodies.map((body, i) => {
    const more = reported(state, i);
    return h(
      'div',
      { class: 'item', role: 'option', aria: { selected: String(state.body === i) }, on: { click: () => app.session.view.selectBody(i) } },
      h('span', { class: 'grow name' }, body.body.node || body.body.name || `body ${i}`),
      h('span', { class: 'quiet' }, more?.shape.type ?? body.body.shape),
    );
  });
}

/** What each colour means: one line for all bodies of it. */
function legendRows(app: App, state: State): Node[] {
  const { subject, colourBy } = state;
  if (subject?.kind !== 'collision') return [];
  const words = new Map<string, { colour: string; count: number }>();
  const add = (word: string, colourOf: () => Color) => {
    const known = words.get(word);
    if (known) ++known.count;
    else words.set(word, { colour: `#${colourOf().getHexString()}`, count: 1 });
  };
  subject.bodies.forEach((body, i) => {
    // Triangles of a mesh have materials of their own.
    const materials = colourBy === 'material' ? new Set(body.meshes.flatMap((mesh) => (mesh.materials ? [...new Set(mesh.materials)] : []))) : new Set<number>();
    for (const material of materials) add(app.session.bodyEdits.materialName(material), () => colourOfBody(app.session.marrow, subject, body, colourBy, material));
    if (materials.size > 0) return;
    const more = reported(state, i);
    const word = String({ material: more?.material, layer: more?.layer, motion: more?.motion, shape: more?.shape.type ?? body.body.shape }[colourBy] ?? 'none');
    add(word, () => colourOfBody(app.session.marrow, subject, body, colourBy));
  });
  return [...words].slice(0, 24).map(([word, { colour, count }]) => {
    const swatch = h('span', { class: 'swatch' });
    swatch.style.background = colour;
    return h('li', {}, swatch, h('span', {}, ...breakable(word)), count > 1 && h('span', { class: 'quiet' }, String(count)));
  });
}

const kMotions = ['static', 'keyframed', 'dynamic'];
/** What is listed above as a control. */
const kEdited = ['material', 'layer', 'motion', 'mass', 'friction', 'restitution'];

/** Controls for what is changed most. */
function bodyForm(app: App, body: number, more: CollisionBody): Node[] {
  const { bodyEdits } = app.session;
  const named = (what: 'material' | 'layer') => {
    const list = h('datalist', { id: `${what}-names` }, ...bodyEdits.namesOf(`${what}s`).map((name) => h('option', { value: name })));
    const input = h('input', { type: 'text', value: more[what], on: { change: () => void bodyEdits.set(body, { [what]: input.value }) } });
    input.setAttribute('list', list.id);
    return labelled(what === 'material' ? 'Material' : 'Layer', input, '', list);
  };
  const numeric = (what: 'mass' | 'friction' | 'restitution', label: string, hint: string) => {
    const input = h('input', { type: 'number', step: 'any', min: '0', value: String(Number(more[what].toPrecision(5))), on: { change: () => void bodyEdits.set(body, { [what]: Number(input.value) }) } });
    return labelled(label, input, hint);
  };
  const motion = select(kMotions.map((each) => [each, each] as const), more.motion, (value) =>
    // What moves needs a mass.
    void bodyEdits.set(body, { motion: value, ...(value === 'dynamic' && more.mass === 0 ? { mass: 1 } : {}) }));
  return [named('material'), named('layer'), labelled('Motion', motion), numeric('mass', 'Mass, kg', 'of a dynamic body'), numeric('friction', 'Friction', '0 is ice'), numeric('restitution', 'Restitution', '0 does not bounce')];
}

/** The joints of a body, with the limits that can be set. */
function jointRows(app: App, state: State, body: number): Node[] {
  const { subject } = state;
  if (subject?.kind !== 'collision') return [];
  const { system, index } = subject.bodies[body]!;
  const listed = subject.systems[system]?.constraints ?? [];
  return listed.flatMap((joint, i): Node[] => {
    const { body_a: a, body_b: b, type } = joint as { body_a?: number; body_b?: number | null; type?: string };
    if (a !== index) return [];
    const other = subject.bodies.find((each) => each.system === system && each.index === b);
    const rows: Node[] = [h('p', { class: 'note' }, `Joint ${i}: ${type ?? 'joint'} to ${other?.body.node || other?.body.name || 'the world'}`)];
    for (const name of kLimits) if (joint[name] !== undefined) rows.push(limitControls(app, system, i, name, joint[name]));
    return [...rows, ...bendControls(app, body)];
  });
}
/** Sliders that bend the joint of a body, as far as its limits let them. */
function bendControls(app: App, body: number): Node[] {
  const { stage, store, session: { view } } = app;
  const joint = stage.joints?.of.get(body);
  if (!joint || joint.ranges.every(([least, most]) => most - least < 1e-4)) return [];
  const degrees = (radians: number) => (radians * 180) / Math.PI;
  const rows = kBends.flatMap((name, k) => {
    const [least, most] = joint.ranges[k]!;
    if (most - least < 1e-4) return [];
    const slider = h('input', { type: 'range', min: String(degrees(least)), max: String(degrees(most)), step: 'any', data: { bend: String(k) } });
    slider.addEventListener('input', () => {
      const bend = [...stage.joints!.bendAt(body, store.state.bends)] as [number, number, number];
      bend[k] = (Number(slider.value) * Math.PI) / 180;
      view.bend(body, stage.joints!.within(body, bend));
    });
    return [labelled(`Bend: ${name.toLowerCase()}`, slider, 'moves the body and what hangs on it; no file changes', h('output', { class: 'value' }))];
  });
  return [...rows, button('All joints back to rest', () => view.bend(null), { class: 'chip', title: 'Shift and drag bends joints in the picture, too' })];
}
/** Writes into the sliders how far the joint is bent. */
function showBends({ stage }: App, root: HTMLElement, { body, bends }: State): void {
  for (const slider of root.querySelectorAll<HTMLInputElement>('[data-bend]')) {
    const now = ((body === null ? 0 : stage.joints?.bendAt(body, bends)[Number(slider.dataset.bend)] ?? 0) * 180) / Math.PI;
    if (Math.abs(Number(slider.value) - now) > 1e-3) slider.value = String(now);
    slider.nextElementSibling!.textContent = `${now.toFixed(1)}°`;
  }
}

const kLimits = ['twist', 'cone', 'plane', 'angle'] as const;
/** The limits of a joint: the library gives radians, and takes degrees. */
function limitControls(app: App, system: number, joint: number, name: (typeof kLimits)[number], value: unknown): Node {
  const degrees = [value].flat().map((each) => (Number(each) * 180) / Math.PI);
  const put = () => {
    const values = inputs.map((input) => Number(input.value));
    void app.session.bodyEdits.setJoint(system, joint, { [name]: name === 'cone' ? values[0] : values });
  };
  const inputs = degrees.map((each, i) => h('input', { type: 'number', step: '1', class: 'angle', value: String(Number(each.toFixed(2))), aria: { label: `${name} of joint ${joint}${degrees.length > 1 ? (i === 0 ? ', least' : ', most') : ''}` }, on: { change: put } }));
  return labelled(`${words(name)}, °`, h('span', { class: 'row' }, ...inputs));
}

function aboutBody(app: App, state: State): Node[] {
  const { subject, body } = state;
  if (subject?.kind !== 'collision' || body === null || !subject.bodies[body]) return [];
  const more = reported(state, body);
  const rows: [string, string][] = [];
  for (const [name, value] of Object.entries(more ?? {})) {
    if (name === 'shape' || value === null || kEdited.includes(name)) continue;
    const text = Array.isArray(value) ? value.map((each) => figure(Number(each))).join('  ') : typeof value === 'number' ? figure(value) : String(value);
    rows.push([words(name), text]);
  }
  for (const [name, value] of Object.entries(more?.shape ?? {})) if (value) rows.push([`Shape ${words(name).toLowerCase()}`, typeof value === 'number' ? figure(value) : Array.isArray(value) ? value.map((each) => (typeof each === 'number' ? figure(each) : String(each))).join('  ') : String(value)]);
  return [
    h('h2', {}, ...breakable(subject.bodies[body]!.body.node || subject.bodies[body]!.body.name || `Body ${body}`)),
    ...(more ? bodyForm(app, body, more) : []), ...jointRows(app, state, body), facts(rows),
  ];
}
const words = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
