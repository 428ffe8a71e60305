// SPDX-License-Identifier: MIT
// A rig that runs: the stack and its budget, the world, and every field of the modifiers.
import type { ModifierField } from '../abi/reports';
import { nameOf } from '../files/entry';
import { hue } from '../scene/palette';
import type { LiveRig } from '../store/live_rig';
import type { State, World } from '../store/state';
import { App } from './app';
import { button, figure, h, iconButton, labelled, select, toggle } from './dom';

export function rigPanel(app: App): HTMLElement {
  const stack = h('div', {});
  const world = worldForm(app);
  const presets = h('div', {});
  const modifiers = h('div', {});
  const fields = h('div', { class: 'fields' });
  app.store.watch(['stack', 'files', 'game'], (state) => stack.replaceChildren(...stackView(app, state)));
  app.store.watch(['rig', 'subject', 'bone'], (state) => presets.replaceChildren(...presetsView(app, state)));
  app.store.watch(['rig', 'modifier'], (state) => {
    world.hidden = !state.rig;
    modifiers.replaceChildren(...modifierList(app, state));
  });
  let shown: LiveRig | null = null, at: number | null = null;
  app.store.watch(['rig', 'modifier', 'undo', 'redo'], (state) => {
    // A slider stays what it is while its modifier does: one under the pointer must not be made anew.
    if (state.rig === shown && state.modifier === at) return updateFields(fields, state);
    [shown, at] = [state.rig, state.modifier];
    fields.replaceChildren(...fieldForm(app, state));
  });
  return h('section', { class: 'panel scroll', aria: { label: 'Physics' } }, stack, world, presets, modifiers, fields);
}

/** Files beside the stack that are offered for it. */
const kMostOthers = 40;

function stackView(app: App, { stack, files }: State): Node[] {
  if (!stack) return [];
  const { plan } = stack;
  const others = files.filter((file) => !stack.files.includes(file.id) && /\.xml$/i.test(file.path)).slice(0, kMostOthers);
  const anvil = files.filter((file) => stack.files.includes(file.id) || others.includes(file));
  const rows = anvil.map((file) => {
    const order = stack.files.indexOf(file.id);
    const part = order === 0 ? plan?.base : plan?.addons.find((addon) => addon.path === file.path);
    const swatch = h('span', { class: 'swatch' });
    if (order > 0) swatch.style.background = `#${hue(order - 1).getHexString()}`;
    return h(
      'div',
      { class: 'row' },
      swatch,
      toggle(nameOf(file.path), order >= 0, () => void app.session.stacks.toggle(file.id), 'part of the stack'),
      h('span', { class: 'quiet' }, part ? (order === 0 ? `${part.bones}` : `+${part.new}`) : ''),
    );
  });
  const out: Node[] = [h('h2', {}, 'Stack'), ...rows];
  if (plan) {
    const { limit, whose } = app.session.stacks.boneBudget();
    const bar = h('div', { class: 'budget', role: 'img', aria: { label: `${plan.bones} of ${limit} bones` } });
    const piece = (bones: number, colour: string) => {
      const part = h('span', {});
      part.style.width = `${(bones / Math.max(limit, plan.bones)) * 100}%`;
      part.style.background = colour;
      bar.append(part);
    };
    piece(plan.base.bones, 'var(--bone)');
    plan.addons.forEach((addon) => {
      const file = files.find((each) => each.path === addon.path);
      piece(addon.new, `#${hue(stack.files.indexOf(file?.id ?? -1) - 1).getHexString()}`);
    });
    out.push(bar, h('p', { class: plan.bones > limit ? 'note bad' : 'note' }, `${plan.bones} of ${limit} bones ${whose}`));
    out.push(labelled('Game', gameChoice(app), 'the game whose limit of bones applies'));
  }
  return out;
}

/** The games that a plan can be made for. */
function gameChoice(app: App): HTMLElement {
  const games = [...app.session.stacks.boneLimits().keys()];
  return select([['', 'any'] as const, ...games.map((game) => [game, game] as const)], app.store.state.game, (game) => app.session.view.setGame(game));
}

function presetsView(app: App, { rig, subject, bone }: State): Node[] {
  if (subject?.kind !== 'motion') return [];
  const names = app.session.operations.get('simulate')?.inputs.find((input) => input.name === 'modifiers')?.presets ?? [];
  const on = bone === null ? null : subject.actor.bones[bone]?.name;
  const buttons = names.map((name) => button(name, () => on && void app.session.tuner.applyPreset(name, on), { disabled: !on, class: 'chip', title: on ? `put ${name} on ${on}` : 'select a bone first' }));
  return [
    h('h2', {}, 'Presets'),
    h('p', { class: 'note' }, on ? `A click puts the preset on ${on}.` : 'Select the first bone of a strand, then click a preset.'),
    h('div', { class: 'chips' }, ...buttons, rig?.preset && button('none', () => void app.session.tuner.applyPreset(null, rig.preset!.bone), { class: 'chip' })),
  ];
}

/** The world: shake, wind, gravity, pause and step. */
function worldForm(app: App): HTMLElement {
  const { store, session } = app;
  const set = (patch: Partial<World>) => session.view.setWorld(patch);
  const slider = (label: string, id: string, min: number, max: number, unit: string, get: (world: World) => number, put: (value: number) => Partial<World>) => {
    const input = h('input', { type: 'range', id: `world-${id}`, min: String(min), max: String(max), step: 'any' });
    const value = h('output', { class: 'value' });
    input.addEventListener('input', () => set(put(Number(input.value))));
    store.watch(['world'], ({ world }) => {
      if (document.activeElement !== input || Number(input.value) !== get(world)) input.value = String(get(world));
      value.textContent = `${figure(get(world))} ${unit}`;
      input.setAttribute('aria-valuetext', value.textContent);
    });
    return labelled(label, input, '', value);
  };
  const run = iconButton('pause', 'Pause', () => set({ running: !store.state.world.running }), { class: 'strong' });
  const time = h('output', { class: 'now' });
  store.watch(['world'], ({ world }) => {
    run.setAttribute('aria-label', world.running ? 'Pause the simulation' : 'Run the simulation');
    run.title = world.running ? 'Pause (space)' : 'Run (space)';
    run.querySelector('path')!.setAttribute('d', world.running ? 'M4.5 3v10M11.5 3v10' : 'M4 2.5v11l9-5.5z');
    time.textContent = `${(world.step / world.fps).toFixed(2)} s, step ${world.step}`;
  });
  return h(
    'div',
    {},
    h('h2', {}, 'World'),
    h(
      'div',
      { class: 'row' },
      run,
      iconButton('step', 'Simulate one step', () => (set({ running: false }), session.clock.step())),
      iconButton('reset', 'Start again at rest', () => session.clock.reset()),
      time,
    ),
    h('p', { class: 'note' }, 'Hold Shift and drag in the picture to shake the character.'),
    slider('Shake', 'shake', 0, 0.5, 'm', (w) => w.shakeMetres, (v) => ({ shakeMetres: v })),
    slider('Shake rate', 'rate', 0.1, 5, 'Hz', (w) => w.shakeHertz, (v) => ({ shakeHertz: v })),
    slider('Wind along X', 'wind-x', -20, 20, 'm/s', (w) => w.wind[0], (v) => ({ wind: [v, store.state.world.wind[1], store.state.world.wind[2]] })),
    slider('Wind along Y', 'wind-y', -20, 20, 'm/s', (w) => w.wind[1], (v) => ({ wind: [store.state.world.wind[0], v, store.state.world.wind[2]] })),
    slider('Gusts', 'gusts', 0, 1, '', (w) => w.gusts, (v) => ({ gusts: v })),
    slider('Gravity', 'gravity', -20, 0, 'm/s²', (w) => w.gravity[2], (v) => ({ gravity: [0, 0, v] })),
  );
}

function modifierList(app: App, { rig, modifier, subject }: State): Node[] {
  if (!rig || subject?.kind !== 'motion') return [];
  if (rig.modifiers.length === 0) return [h('h2', {}, 'Modifiers'), h('p', { class: 'note' }, 'This skeleton has none. Put a preset on a bone to see it move.')];
  const options = rig.modifiers.map((each, i) => [String(i), `${subject.actor.bones[each.bone]?.name ?? '?'}: ${short(each.type)}${each.order < 0 ? ' (no effect)' : ''}`] as const);
  const choose = select(options, String(modifier ?? 0), (value) => app.session.view.selectModifier(Number(value)));
  const type = modifier === null ? undefined : rig.typeOf(modifier);
  return [
    h('h2', {}, `Modifiers (${rig.modifiers.length})`),
    labelled('Modifier', choose),
    h('p', { class: 'note' }, type?.summary ?? ''),
  ];
}
const short = (type: string) => type.replace(/BoneModifier$/, '');

/** A control for every field, with the range that the library gives it. */
function fieldForm(app: App, { rig, modifier }: State): Node[] {
  if (!rig || modifier === null || !rig.modifiers[modifier]) return [];
  return rig.fields(modifier).flatMap(({ info, values }) => fieldControls(app, modifier, info, values));
}
function fieldControls(app: App, modifier: number, info: ModifierField, values: readonly number[]): Node[] {
  const set = (index: number, value: number) => {
    const now = app.store.state.rig!.rig.field(modifier, info.name);
    now[index] = value;
    app.session.tuner.tune(modifier, info.name, now);
  };
  const name = (index: number) => (values.length > 1 ? `${info.name} ${'XYZW'[index] ?? index}` : info.name);
  const words = info.words ?? info.choices;
  return values.map((value, index) => {
    const hint = `${info.help}${info.unit ? ` (${info.unit})` : ''}`;
    if (typeof info.default === 'boolean') {
      const box = toggle(name(index), value !== 0, (on) => set(index, on ? 1 : 0), hint);
      box.dataset.field = `${info.name}.${index}`;
      return box;
    }
    if (words && Number.isInteger(value)) {
      const list = select(words.map((word, i) => [String(i), word] as const), String(value), (chosen) => set(index, Number(chosen)));
      list.dataset.field = `${info.name}.${index}`;
      return labelled(name(index), list, hint);
    }
    const range = h('input', { type: 'range', min: String(info.min ?? Math.min(-10, value)), max: String(info.max ?? Math.max(10, value)), step: 'any', data: { field: `${info.name}.${index}` } });
    range.value = String(value);
    const box = h('input', { type: 'number', step: 'any', class: 'value', value: String(Number(value.toPrecision(7))), data: { field: `${info.name}.${index}` } });
    box.setAttribute('aria-label', `${name(index)}, exact value`);
    range.addEventListener('input', () => {
      box.value = String(Number(Number(range.value).toPrecision(4)));
      set(index, Number(box.value));
    });
    range.addEventListener('change', () => app.session.history.endGesture());
    box.addEventListener('change', () => {
      range.value = box.value;
      set(index, Number(box.value));
      app.session.history.endGesture();
    });
    return labelled(`${name(index)}${info.unit ? `, ${info.unit}` : ''}`, range, hint, box);
  });
}
/** Shows values that changed elsewhere, by undo for example. */
function updateFields(root: HTMLElement, { rig, modifier }: State): void {
  if (!rig || modifier === null) return;
  for (const control of root.querySelectorAll<HTMLElement>('[data-field]')) {
    const path = control.dataset.field!, dot = path.lastIndexOf('.');
    const value = rig.rig.field(modifier, path.slice(0, dot))[Number(path.slice(dot + 1))];
    if (value === undefined) continue;
    if (control instanceof HTMLLabelElement) control.querySelector('input')!.checked = value !== 0;
    else if (control instanceof HTMLSelectElement) control.value = String(value);
    else if (control instanceof HTMLInputElement) showNumber(control, value);
  }
}
/** Shows a number, unless the control shows it already or it is being typed. */
function showNumber(input: HTMLInputElement, value: number): void {
  if (input === document.activeElement && input.type === 'number') return;
  if (Math.fround(Number(input.value)) !== Math.fround(value)) input.value = String(Number(value.toPrecision(7)));
}

