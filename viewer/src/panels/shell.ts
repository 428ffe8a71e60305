// SPDX-License-Identifier: MIT
// The page around the picture: header, tabs on both sides, what lies over the picture.
import { adoptSession, endedSessions, forgetFiles } from '../files/remember';
import { FileEntry, nameOf } from '../files/entry';
import type { RightPanel, State } from '../store/state';
import { App } from './app';
import { checkPanel } from './check';
import { collisionPanel } from './collision';
import { comparePanel } from './compare';
import { curvesPanel } from './curves';
import { button, h, iconButton, sign, toggle } from './dom';
import { downloadMenu } from './downloads';
import { editsPanel } from './edits';
import { chooseFiles, closeButton, filesPanel } from './files';
import { inspectPanel } from './inspect';
import { fitBanner, playAnyway } from './plays_on';
import { rigPanel } from './rig';
import { allNames, boneLabel } from './names';
import { runPanel } from './run';
import { viewSwitches } from './switches';
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
    sideButton(app, 'left', 'Files and bones ([)'), brand, title, badge, closeButton(app), h('span', { class: 'grow' }),
    undo, redo,
    openButton(app),
    downloadMenu(app),
    theme,
    iconButton('help', 'Keys and help (?)', help),
    sideButton(app, 'right', 'Panels (])'),
  );
}
function openButton(app: App): HTMLElement {
  const made = button('', () => chooseFiles(app), { title: 'Open files (Ctrl+O)', class: 'open', aria: { label: 'Open' } });
  made.append(sign('open'), h('span', {}, 'Open'));
  return made;
}
/** Shows or hides the panels of a side. */
function sideButton(app: App, side: 'left' | 'right', name: string): HTMLElement {
  const key = side === 'left' ? 'leftOpen' : 'rightOpen';
  const made = iconButton(side === 'left' ? 'panelLeft' : 'panelRight', name, () => app.session.view.openSide(side, !app.store.state[key]), { aria: { controls: `side-${side}` } });
  app.store.watch([key], (state) => made.setAttribute('aria-expanded', String(state[key])));
  return made;
}
/** Lays out the page: panels beside the picture, or over it. */
export function watchSides(app: App, root: HTMLElement): void {
  const narrow = matchMedia('(max-width: 900px)');
  const note = () => app.session.view.setNarrow(narrow.matches);
  narrow.addEventListener('change', note);
  note();
  app.store.watch(['leftOpen', 'rightOpen'], ({ leftOpen, rightOpen }) => {
    root.classList.toggle('no-left', !leftOpen);
    root.classList.toggle('no-right', !rightOpen);
  });
  app.stage.canvas.addEventListener('pointerdown', () => {
    if (!app.store.state.narrow) return;
    app.session.view.openSide('left', false);
    app.session.view.openSide('right', false);
  });
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
    [['files', 'Files', filesPanel(app)], ['bones', 'Bones', treePanel(app)], ['edits', 'Edits', editsPanel(app)]] as const,
    (state) => state.left,
    (left) => app.session.view.openLeft(left),
    (view) => app.store.watch(['left'], view),
  );
  const tab = parts[0]!.querySelector<HTMLElement>('#tab-edits')!;
  app.store.watch(['edits'], ({ edits }) => {
    tab.textContent = edits.length > 0 ? `Edits (${edits.length})` : 'Edits';
    tab.classList.toggle('unsaved', edits.some(({ isUnsaved }) => isUnsaved));
  });
  return h('aside', { class: 'left', id: 'side-left', aria: { label: 'Files and bones' } }, ...parts);
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
  return h('aside', { class: 'right', id: 'side-right', aria: { label: 'Panels' } }, ...all);
}
export function openPanel(app: App, right: RightPanel): void {
  app.session.view.openRight(right);
  if (right === 'check' && app.store.state.findings === null) void app.session.check();
}

/** What lies over the picture: switches, labels, sentences about what cannot be shown. */
export function overlays(app: App): HTMLElement[] {
  const { store } = app;
  return [viewSwitches(app), fitBanner(app), boneLabel(app), allNames(app), refusal(app), welcome(app), message(app), (void store, h('div', { class: 'drop-hint', aria: { hidden: 'true' } }, 'Drop files, folders or a zip'))];
}

/** A file that cannot be shown: what is wrong, and what would help. */
function refusal(app: App): HTMLElement {
  const card = h('div', { class: 'card', role: 'alert', hidden: true });
  app.store.watch(['subject'], ({ subject }) => {
    card.hidden = subject?.kind !== 'unshown';
    if (subject?.kind !== 'unshown') return;
    card.replaceChildren(
      h('h2', {}, subject.title), h('p', {}, subject.why), h('p', { class: 'note' }, subject.cure),
      h('div', { class: 'row wrap' }, button('Open files', () => chooseFiles(app), { class: 'strong' }), ...playAnyway(app, subject.file, subject.choices ?? [])),
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
    h('p', {}, 'Animations and skeletons of Skyrim and Fallout 4 (.hkx), bodies and collision (.nif), Assassin’s Creed skeletons (.xml), glTF, FBX and BVH. Folders, zips, BSA and BA2 too. Nothing is uploaded: this page works without a network.'),
    h('div', { class: 'row' }, button('Open files', () => chooseFiles(app), { class: 'strong' }), button('Open a folder', () => chooseFiles(app, true)), h('span', { class: 'quiet' }, 'or press ? for all keys')),
    again,
    remember,
  );
  app.store.watch(['sample'], ({ sample }) => (card.hidden = !sample));
  void endedSessions().then(({ last }) => {
    if (!last || last.files.length === 0) return;
    const { key, files } = last;
    again.replaceChildren(button(lastFiles(files), () => (adoptSession(key), void app.session.add(files)), { class: 'last' }));
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
    toast.textContent = said.text.charAt(0).toUpperCase() + said.text.slice(1);
    toast.classList.toggle('bad', said.level === 'error');
    clearTimeout(timer);
    timer = setTimeout(() => app.session.view.forgetMessage(), said.level === 'error' ? 9000 : 4000) as unknown as number;
  });
  return toast;
}

export function bottom(app: App): HTMLElement {
  return h('footer', {}, curvesPanel(app), timelinePanel(app));
}
