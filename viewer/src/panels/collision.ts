// SPDX-License-Identifier: MIT
import type { CollisionBody } from '../abi/reports';
import type { ColourBy, State } from '../store/state';
import { App } from './app';
import { facts, figure, h, labelled, select, toggle } from './dom';

const kColours: readonly (readonly [ColourBy, string])[] = [['material', 'Material'], ['layer', 'Layer'], ['shape', 'Shape'], ['motion', 'Motion']];

/** Bodies with their properties, and what is drawn of them. */
export function collisionPanel(app: App): HTMLElement {
  const { store, session: { view } } = app;
  const colour = select(kColours, store.state.colourBy, (value) => view.colourBy(value as ColourBy));
  const list = h('div', { class: 'list short', role: 'listbox', tabIndex: 0, aria: { label: 'Bodies' } });
  const about = h('div', {});
  store.watch(['subject', 'body'], (state) => {
    list.replaceChildren(...bodyRows(app, state));
    about.replaceChildren(...aboutBody(state));
  });
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

function aboutBody(state: State): Node[] {
  const { subject, body } = state;
  if (subject?.kind !== 'collision' || body === null || !subject.bodies[body]) return [];
  const more = reported(state, body);
  const rows: [string, string][] = [];
  for (const [name, value] of Object.entries(more ?? {})) {
    if (name === 'shape' || value === null) continue;
    const text = Array.isArray(value) ? value.map((each) => figure(Number(each))).join('  ') : typeof value === 'number' ? figure(value) : String(value);
    rows.push([words(name), text]);
  }
  for (const [name, value] of Object.entries(more?.shape ?? {})) if (value) rows.push([`Shape ${words(name).toLowerCase()}`, typeof value === 'number' ? figure(value) : String(value)]);
  for (const joint of subject.bodies[body]!.joints) {
    const other = subject.bodies.find((each) => each.system === subject.bodies[body]!.system && each.index === joint.bodyB);
    rows.push(['Joint', `${joint.type} to ${other?.body.node || other?.body.name || 'the world'}`]);
  }
  return [h('h2', {}, subject.bodies[body]!.body.node || subject.bodies[body]!.body.name || `Body ${body}`), facts(rows)];
}
const words = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
