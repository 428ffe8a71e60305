// SPDX-License-Identifier: MIT
// The page around the picture: header, tabs on both sides, what lies over the picture.
import { forgetFiles, keptFiles } from '../files/remember';
import { FileEntry, nameOf } from '../files/entry';
import type { RightPanel, State } from '../store/state';
import { App } from './app';
import { checkPanel } from './check';
import { collisionPanel } from './collision';
import { comparePanel } from './compare';
import { curvesPanel } from './curves';
import { button, h, iconButton, labelled, sign, toggle } from './dom';
import { downloadMenu } from './downloads';
import { chooseFiles, closeButton, filesPanel } from './files';
import { inspectPanel } from './inspect';
import { rigPanel } from './rig';
import { runPanel } from './run';
import { timelinePanel } from './timeline';
import { treePanel } from './tree';

export function header(app: App, help: () => void): HTMLElement {
  const { store, session } = app;
  const title = h('h1', {});
  const badge = h('span', { class: 'badge' });
  const undo = iconButton('undo', 'Undo', () => session.history.undo());
  const redo = iconButton('redo', 'Redo', () => session.history.redo());
  const theme = iconButton('moon', 'Dark theme', () => toggleTheme(app));
  store.watch(['subject', 'active', 'files', 'edited'], ({ active, files, subject, edited }) => {
    const file = files.find((each) => each.id === active);
    title.textContent = file ? nameOf(file.path) : 'Marrow viewer';
    title.classList.toggle('edited', Boolean(file && edited.has(file.id)));
    document.title = `${file && edited.has(file.id) ? '• ' : ''}${file ? `${nameOf(file.path)} – ` : ''}Marrow viewer`;
    const info = subject && subject.kind !== 'unshown' ? subject.info : null;
    badge.textContent = info ? [info.format, info.game].filter(Boolean).join(' · ') : '';
    badge.hidden = !badge.textContent;
  });
  store.watch(['undo', 'redo'], (state) => {
    undo.disabled = state.undo === null;
    redo.disabled = state.redo === null;
    undo.title = state.undo === null ? 'Nothing to undo' : `Undo: ${state.undo}`;
    redo.title = state.redo === null ? 'Nothing to redo' : `Redo: ${state.redo}`;
  });
  store.watch(['theme'], ({ theme: now }) => {
    document.documentElement.dataset.theme = now;
    theme.setAttribute('aria-label', now === 'dark' ? 'Light theme' : 'Dark theme');
    theme.title = `${now === 'dark' ? 'Light' : 'Dark'} theme (D)`;
    theme.replaceChildren(sign(now === 'dark' ? 'sun' : 'moon'));
  });
  const brand = h('span', { class: 'brand' }, 'Marrow');
  return h(
    'header',
    {},
    brand, title, badge, closeButton(app), h('span', { class: 'grow' }),
    undo, redo,
    button('Open', () => chooseFiles(app), { title: 'Open files (Ctrl+O)' }),
    downloadMenu(app),
    theme,
    iconButton('help', 'Keys and help (?)', help),
  );
}
export function toggleTheme({ session }: App): void {
  session.view.toggleTheme();
}

/** Tabs with one panel each; the state says which is open. */
function tabs<Name extends string>(label: string, parts: readonly (readonly [Name, string, HTMLElement])[], get: (state: State) => Name, set: (name: Name) => void, watch: (view: (state: State) => void) => void): HTMLElement[] {
  const strip = h('div', { class: 'tabs', role: 'tablist', aria: { label } });
  for (const [name, text, panel] of parts) {
    panel.id = `panel-${name}`;
    panel.setAttribute('role', 'tabpanel');
    const tab = h('button', { type: 'button', role: 'tab', id: `tab-${name}`, aria: { controls: panel.id }, on: { click: () => set(name) } }, text);
    strip.append(tab);
  }
  strip.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.stopPropagation();
    const items = [...strip.children] as HTMLElement[];
    const next = items[(items.indexOf(document.activeElement as HTMLElement) + by + items.length) % items.length]!;
    next.focus();
    next.click();
  });
  watch((state) =>
    parts.forEach(([name, , panel], i) => {
      const isOpen = get(state) === name;
      panel.hidden = !isOpen;
      const tab = strip.children[i] as HTMLElement;
      tab.setAttribute('aria-selected', String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
    }),
  );
  return [strip, ...parts.map(([, , panel]) => panel)];
}

export function leftSide(app: App): HTMLElement {
  const parts = tabs(
    'Files and bones',
    [['files', 'Files', filesPanel(app)], ['bones', 'Bones', treePanel(app)]] as const,
    (state) => state.left,
    (left) => app.session.view.openLeft(left),
    (view) => app.store.watch(['left'], view),
  );
  return h('aside', { class: 'left', aria: { label: 'Files and bones' } }, ...parts);
}

export const kRight: readonly (readonly [RightPanel, string])[] = [
  ['inspect', 'Details'], ['rig', 'Physics'], ['collision', 'Collision'], ['compare', 'Compare'], ['check', 'Check'], ['run', 'Run'],
];
export function rightSide(app: App): HTMLElement {
  const made = { inspect: inspectPanel, rig: rigPanel, collision: collisionPanel, compare: comparePanel, check: checkPanel };
  const parts = kRight.map(([name, text]) => [name, text, name === 'run' ? h('section', {}) : made[name](app)] as const);
  const holder = parts.find(([name]) => name === 'run')![2];
  // The form lists the files that are open: it is made when it is looked at.
  app.store.watch(['right', 'files', 'active'], ({ right }) => {
    if (right === 'run' && !holder.contains(document.activeElement)) holder.replaceChildren(runPanel(app));
  });
  const all = tabs('Panels', parts, (state) => state.right, (right) => openPanel(app, right), (view) => app.store.watch(['right'], view));
  return h('aside', { class: 'right', aria: { label: 'Panels' } }, ...all);
}
export function openPanel(app: App, right: RightPanel): void {
  app.session.view.openRight(right);
  if (right === 'check' && app.store.state.findings === null) void app.session.check();
}

/** What lies over the picture: switches, labels, sentences about what cannot be shown. */
export function overlays(app: App): HTMLElement[] {
  const { store } = app;
  return [viewSwitches(app), boneLabel(app), allNames(app), refusal(app), welcome(app), message(app), (void store, h('div', { class: 'drop-hint', aria: { hidden: 'true' } }, 'Drop files, folders or a zip'))];
}

function viewSwitches(app: App): HTMLElement {
  const { store, session: { view } } = app;
  const chip = (label: string, key: 'rootMotion' | 'trail' | 'names' | 'axes' | 'limits' | 'bodies' | 'bones', hint: string) => {
    const made = button(label, () => view.flip(key), { class: 'chip', title: hint });
    store.watch([key], (state) => made.setAttribute('aria-pressed', String(state[key])));
    return made;
  };
  const crowd = h('input', { type: 'range', min: '1', max: '100', step: '1', class: 'small' });
  crowd.addEventListener('input', () => view.setCrowd(Number(crowd.value)));
  store.watch(['crowd'], (state) => ((crowd.value = String(state.crowd)), crowd.setAttribute('aria-valuetext', `${state.crowd} actors`)));
  const root = chip('Root motion', 'rootMotion', 'move the character as the clip says (R)');
  const trail = chip('Trail', 'trail', 'the path of the root motion (T)');
  const limits = chip('Limits', 'limits', 'cones and fans that hold the modifiers');
  const body = chip('Body', 'bodies', 'the meshes that the bones move (B)');
  const bones = chip('Bones', 'bones', 'the skeleton');
  const people = labelled('Actors', crowd);
  const bar = h(
    'div',
    { class: 'switches', role: 'toolbar', aria: { label: 'View' } },
    iconButton('frame', 'Frame (F)', () => app.stage.frame()),
    body, bones, chip('Names', 'names', 'names of all bones (N)'), chip('Axes', 'axes', 'axes of the selected bone (V)'), root, trail, limits, people,
  );
  store.watch(['subject', 'rig'], ({ subject, rig }) => {
    const motion = subject?.kind === 'motion' ? subject : null;
    for (const element of bar.querySelectorAll<HTMLElement>('.chip')) element.hidden = !motion;
    root.hidden = trail.hidden = !motion?.actor.rootMotion || Boolean(rig);
    limits.hidden = !rig;
    body.hidden = bones.hidden = !motion || motion.worn.length === 0;
    people.hidden = !motion?.clip;
  });
  return bar;
}

function boneLabel(app: App): HTMLElement {
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

/** Names of all bones, moved with the picture. */
function allNames(app: App): HTMLElement {
  const layer = h('div', { class: 'names', hidden: true, aria: { hidden: 'true' } });
  app.store.watch(['names', 'subject'], ({ names, subject }) => {
    layer.hidden = !names || subject?.kind !== 'motion';
    layer.replaceChildren(...(layer.hidden || subject?.kind !== 'motion' ? [] : subject.actor.bones.map((bone) => h('span', {}, bone.name))));
    app.stage.invalidate();
  });
  app.stage.onDrawn = () => {
    if (layer.hidden) return;
    [...layer.children].forEach((child, bone) => {
      const { x, y, isInFront } = app.stage.project(bone);
      const element = child as HTMLElement;
      element.style.display = isInFront ? '' : 'none';
      element.style.transform = `translate(${Math.round(x + 4)}px, ${Math.round(y - 6)}px)`;
    });
  };
  return layer;
}

/** A file that cannot be shown: what is wrong, and what would help. */
function refusal(app: App): HTMLElement {
  const card = h('div', { class: 'card', role: 'alert', hidden: true });
  app.store.watch(['subject'], ({ subject }) => {
    card.hidden = subject?.kind !== 'unshown';
    if (subject?.kind !== 'unshown') return;
    card.replaceChildren(
      h('h2', {}, subject.title), h('p', {}, subject.why), h('p', { class: 'note' }, subject.cure),
      h('div', { class: 'row' }, button('Open files', () => chooseFiles(app), { class: 'strong' })),
    );
  });
  return card;
}

/** The first screen: what this is, and the last session's files. */
function welcome(app: App): HTMLElement {
  const again = h('div', {});
  const remember = toggle('Offer my last files again, on this machine only', app.store.state.remember, (on) => {
    app.session.view.flip('remember', on);
    if (!on) void forgetFiles();
  });
  const card = h(
    'div',
    { class: 'welcome', hidden: true },
    h('h2', {}, 'Drop a file to see it move'),
    h('p', {}, 'Animations and skeletons of Skyrim and Fallout 4 (.hkx), bodies and collision (.nif), Assassin’s Creed skeletons (.xml), .glb. Folders and zips too. Nothing is uploaded: this page works without a network.'),
    h('div', { class: 'row' }, button('Open files', () => chooseFiles(app), { class: 'strong' }), button('Open a folder', () => chooseFiles(app, true)), h('span', { class: 'quiet' }, 'or press ? for all keys')),
    again,
    remember,
  );
  app.store.watch(['sample'], ({ sample }) => (card.hidden = !sample));
  void keptFiles().then((files) => {
    if (files.length === 0) return;
    again.replaceChildren(button(lastFiles(files), () => void app.session.add(files), { class: 'last' }));
  });
  return card;
}
function lastFiles(files: readonly FileEntry[]): string {
  const names = files.slice(0, 2).map((file) => nameOf(file.path)).join(', ');
  return `Continue with ${names}${files.length > 2 ? ` and ${files.length - 2} more` : ''}`;
}

function message(app: App): HTMLElement {
  const toast = h('div', { class: 'toast', role: 'status', aria: { live: 'polite' }, hidden: true });
  let timer = 0;
  app.store.watch(['message'], ({ message: said }) => {
    toast.hidden = !said;
    if (!said) return;
    toast.textContent = said.text;
    toast.classList.toggle('bad', said.level === 'error');
    clearTimeout(timer);
    timer = setTimeout(() => app.session.view.forgetMessage(), said.level === 'error' ? 9000 : 4000) as unknown as number;
  });
  return toast;
}

export function bottom(app: App): HTMLElement {
  return h('footer', {}, curvesPanel(app), timelinePanel(app));
}
