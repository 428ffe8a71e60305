// SPDX-License-Identifier: MIT
import { button, h } from './dom';

/** Every key, in one place: main.ts acts on them and the help lists them. */
export const kKeys: readonly (readonly [keys: string, what: string])[] = [
  ['Space', 'play or pause; with a rig, run or pause the simulation'],
  ['← →', 'step one frame (Shift: ten)'],
  ['Home End', 'first, last frame'],
  ['↑ ↓', 'previous, next file'],
  ['L', 'loop on or off'],
  ['− +', 'slower, faster'],
  ['A', 'add an annotation at the current frame'],
  ['← → Del Enter', 'on a tick: move, delete, rename the annotation'],
  ['C', 'curves'],
  ['F', 'frame the selected bone or body, or everything'],
  ['W S Q E', 'turn the camera up, down, left, right'],
  ['Z X', 'camera closer, further'],
  ['R', 'root motion on or off'],
  ['T', 'trail of the root motion'],
  ['B', 'the body'],
  ['N', 'names of all bones'],
  ['V', 'axes of the selected bone'],
  ['H', 'helper bones: twists, weapons, cameras, skirts'],
  ['O', 'orthographic or perspective'],
  ['G', 'follow the character'],
  ['J', 'more ghost frames, then none'],
  ['K', 'foot contacts'],
  ['M', 'ruler: click two bones'],
  ['P', 'rings that turn the selected bone'],
  ['/', 'search bones'],
  ['1 … 6', 'details, physics, collision, compare, check, run'],
  ['.', 'one step of the simulation'],
  ['0', 'simulation back to rest'],
  ['[ ]', 'panels at the left, at the right'],
  ['Ctrl+O', 'open files'],
  ['Ctrl+S', 'download this file'],
  ['Ctrl+Z, Ctrl+Y', 'undo, redo'],
  ['D', 'light or dark'],
  ['Esc', 'nothing selected'],
  ['?', 'this list'],
];

/** Shows the dialog, with nothing in it chosen yet. */
export function openHelp(dialog: HTMLDialogElement): void {
  dialog.showModal();
  dialog.focus();
}

export function helpDialog(version: string): HTMLDialogElement {
  const rows = kKeys.map(([keys, what]) => h('tr', {}, h('th', { scope: 'row' }, ...keys.split(' ').map((key) => h('kbd', {}, key))), h('td', {}, what)));
  const half = Math.ceil(rows.length / 2);
  const dialog = h(
    'dialog',
    { class: 'help', tabIndex: -1, aria: { label: 'Help' } },
    h('h2', {}, 'Keys'),
    h('div', { class: 'columns', tabIndex: 0, role: 'region', aria: { label: 'List of keys' } }, h('table', {}, h('tbody', {}, ...rows.slice(0, half))), h('table', {}, h('tbody', {}, ...rows.slice(half)))),
    h('p', { class: 'note' }, 'Drag to turn, right drag to move, wheel to zoom; with fingers: one turns, two move and zoom. Shift and drag shakes a character whose physics runs.'),
    h('p', { class: 'note' }, `Marrow ${version}. Files stay on this machine: the page has no network access.`),
    button('Close', () => dialog.close(), { class: 'strong' }),
  );
  return dialog;
}
