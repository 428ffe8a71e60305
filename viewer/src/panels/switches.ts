// SPDX-License-Identifier: MIT
// What lies over the picture: what is shown of it, and from where it is seen.
import type { Side, Switch } from '../store/view';
import type { State } from '../store/state';
import { App } from './app';
import { button, h, iconButton, labelled, select } from './dom';

const kSides: readonly (readonly [Side, string])[] = [['free', 'Three quarters'], ['front', 'Front'], ['back', 'Back'], ['left', 'Left'], ['right', 'Right'], ['top', 'Top']];

/** Switches of the menu, with the key of each; `isOffered` hides those that would do nothing. */
interface Row {
  key: Switch;
  label: string;
  hint: string;
  isOffered?: (state: State) => boolean;
}
const hasRoot = ({ subject, rig }: State) => subject?.kind === 'motion' && subject.actor.rootMotion !== null && !rig;
const hasClip = ({ subject, rig }: State) => subject?.kind === 'motion' && subject.clip !== null && !rig;
const kRows: readonly Row[] = [
  { key: 'parallel', label: 'Orthographic (O)', hint: 'without perspective: what is equally long looks equally long' },
  { key: 'follow', label: 'Follow the character (G)', hint: 'the camera goes along with the character', isOffered: hasClip },
  { key: 'rootMotion', label: 'Root motion (R)', hint: 'move the character as the clip says', isOffered: hasRoot },
  { key: 'trail', label: 'Its trail (T)', hint: 'the path of the root motion on the floor', isOffered: hasRoot },
  { key: 'helpers', label: 'Helper bones (H)', hint: 'twists, weapons, cameras, skirts, magic: bones that are not of the body' },
  { key: 'axes', label: 'Axes of the bone (V)', hint: 'X red, Y green, Z blue' },
  { key: 'limits', label: 'Limits of physics', hint: 'cones and fans that hold the modifiers', isOffered: ({ rig }) => rig !== null },
];

export function viewSwitches(app: App): HTMLElement {
  const { store, session: { view } } = app;
  const chip = (label: string, key: Switch, hint: string) => {
    const made = button(label, () => view.flip(key), { class: 'chip', title: hint });
    store.watch([key], (state) => made.setAttribute('aria-pressed', String(state[key])));
    return made;
  };
  const chips = [chip('Body', 'bodies', 'the meshes that the bones move, or a body made up around them (B)'), chip('Bones', 'bones', 'the skeleton'), chip('Names', 'names', 'names of the bones, where there is room (N)')];
  const menu = viewMenu(app);
  const bar = h('div', { class: 'switches', role: 'toolbar', aria: { label: 'View' } }, iconButton('frame', 'Frame (F)', () => app.stage.frame()), ...chips, menu);
  store.watch(['subject'], ({ subject }) => {
    for (const each of chips) each.hidden = subject?.kind !== 'motion';
    menu.hidden = !subject || subject.kind === 'unshown';
  });
  return bar;
}

/** A button that opens a sheet beside it, and closes it again. */
export function sheet(label: string, title: string, content: HTMLElement): HTMLElement {
  const opener = button(label, () => set(content.hidden), { class: 'chip', title, aria: { expanded: 'false', haspopup: 'true' } });
  const set = (isOpen: boolean) => {
    content.hidden = !isOpen;
    opener.setAttribute('aria-expanded', String(isOpen));
  };
  content.hidden = true;
  const holder = h('div', { class: 'menu-holder' }, opener, content);
  document.addEventListener('pointerdown', (event) => !holder.contains(event.target as Node) && set(false));
  holder.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || content.hidden) return;
    event.stopPropagation();
    set(false);
    opener.focus();
  });
  return holder;
}

function viewMenu(app: App): HTMLElement {
  const { store, stage, session: { view } } = app;
  const sides = h('div', { class: 'chips' }, ...kSides.map(([side, label]) => button(label, () => (view.lookFrom(null), stage.frame(side)), { class: 'chip' })));
  const rows = kRows.map(({ key, label, hint, isOffered }) => {
    const box = h('input', { type: 'checkbox', on: { change: () => view.flip(key, box.checked) } });
    const row = h('label', { class: 'toggle', title: hint }, box, h('span', {}, label));
    store.watch([key, 'subject', 'rig'], (state) => {
      box.checked = Boolean(state[key]);
      row.hidden = state.subject?.kind === 'motion' ? isOffered?.(state) === false : key !== 'parallel';
    });
    return row;
  });
  const ghosts = select(['0', '1', '2', '3', '4'].map((each) => [each, each === '0' ? 'none' : `${each} before, ${each} after`] as const), '0', (value) => view.setGhosts(Number(value)));
  const ghostRow = labelled('Ghost frames', ghosts, 'poses before (blue) and after (orange)');
  const eye = h('div', {});
  const crowd = h('input', { type: 'range', min: '1', max: '100', step: '1', class: 'small' });
  crowd.addEventListener('input', () => view.setCrowd(Number(crowd.value)));
  store.watch(['crowd'], (state) => ((crowd.value = String(state.crowd)), crowd.setAttribute('aria-valuetext', `${state.crowd} actors`)));
  const people = labelled('Actors', crowd);
  const marks = markButtons(app);
  store.watch(['ghosts'], (state) => (ghosts.value = String(state.ghosts)));
  store.watch(['subject', 'bone', 'eyeBone'], (state) => eye.replaceChildren(...eyeChoice(app, state)));
  store.watch(['subject'], ({ subject }) => {
    const hasClip = subject?.kind === 'motion' && subject.clip !== null;
    ghostRow.hidden = people.hidden = !hasClip;
    marks.hidden = subject?.kind !== 'motion';
  });
  return sheet('View', 'what is shown, and from where it is seen', h('div', { class: 'menu sheet', role: 'group', aria: { label: 'What is seen' } }, sides, ...rows, ghostRow, eye, people, marks));
}

/** Bones that the camera can sit in: cameras, the head, and the one that is selected. */
function eyeChoice(app: App, { subject, bone, eyeBone }: State): Node[] {
  if (subject?.kind !== 'motion') return [];
  const { bones, anatomy } = subject.actor;
  const places = bones.flatMap((each, i) => (anatomy.roles[i] === 'camera' || anatomy.roles[i] === 'head' || i === bone || i === eyeBone ? [[String(i), each.name] as const] : []));
  const list = select([['', 'around the body'] as const, ...places], eyeBone === null ? '' : String(eyeBone), (value) => app.session.view.lookFrom(value === '' ? null : Number(value)));
  return [labelled('Camera', list, 'first person: the camera sits in a bone')];
}

/** Marks in the picture: foot contacts, and the ruler. */
function markButtons(app: App): HTMLElement {
  const { store, session } = app;
  const contacts = button('Foot contacts', () => void session.toggleContacts(), { class: 'chip', title: 'where feet stand, as clip feet finds them (K)' });
  const ruler = button('Ruler', () => session.view.toggleRuler(), { class: 'chip', title: 'click two bones: how far apart they are (M)' });
  store.watch(['contacts'], (state) => contacts.setAttribute('aria-pressed', String(state.contacts !== null)));
  store.watch(['isMeasuring'], (state) => ruler.setAttribute('aria-pressed', String(state.isMeasuring)));
  store.watch(['subject'], ({ subject }) => (contacts.hidden = subject?.kind !== 'motion' || !subject.clip));
  return h('div', { class: 'chips' }, contacts, ruler);
}
