// SPDX-License-Identifier: MIT
import { sentenceOf } from '../abi/error';
import { chosenFiles } from '../files/drop';
import { folderOf, nameOf } from '../files/entry';
import { App } from './app';
import { breakable, button, bytesText, h, iconButton } from './dom';
import { downloadFiles } from './edits';

/** Lets people choose files, or a whole folder. */
export function chooseFiles(app: App, folder = false): void {
  const input = h('input', { type: 'file', multiple: true });
  if (folder) input.webkitdirectory = true;
  input.addEventListener('change', async () => {
    try {
      if (input.files) await app.session.add(await chosenFiles(app.session.marrow, input.files));
    } catch (failure) {
      app.session.say(sentenceOf(failure), 'error');
    }
  });
  input.click();
}

/** The list of files, to click or to go through with the arrow keys. */
export function filesPanel(app: App): HTMLElement {
  const list = h('div', { class: 'list', role: 'listbox', tabIndex: 0, aria: { label: 'Files' } });
  const choose = h(
    'div',
    { class: 'row' },
    button('Open files', () => chooseFiles(app), { class: 'grow' }),
    button('Open folder', () => chooseFiles(app, true), { class: 'grow' }),
  );
  list.addEventListener('keydown', (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    void app.session.browse(by);
  });
  const mark = (active: number | null): void => {
    for (const item of list.querySelectorAll<HTMLElement>('.item')) {
      const isActive = item.dataset.file === String(active);
      item.setAttribute('aria-selected', String(isActive));
      if (isActive) {
        list.setAttribute('aria-activedescendant', item.id);
        item.scrollIntoView({ block: 'nearest' });
      }
    }
  };
  app.store.watch(['files', 'edited', 'sample'], ({ files, edited, sample }) => {
    list.replaceChildren();
    let folder = '';
    for (const file of files) {
      if (folderOf(file.path) !== folder) {
        folder = folderOf(file.path);
        list.append(h('div', { class: 'folder', role: 'presentation' }, ...breakable(folder.replace(/\/$/, ''))));
      }
      list.append(
        h(
          'div',
          { class: 'item', role: 'option', id: `file-${file.id}`, data: { file: String(file.id) }, title: file.path, aria: { selected: 'false' }, on: { click: () => void app.session.show(file.id) } },
          h('span', { class: 'grow name' }, nameOf(file.path)),
          edited.has(file.id) && h('span', { class: 'dot', title: 'edited' }),
          h('span', { class: 'quiet' }, bytesText(file.size)),
        ),
      );
    }
    if (sample) list.append(h('p', { class: 'note' }, 'This is the built-in sample. Drop your own files anywhere on the page.'));
    mark(app.store.state.active);
  });
  app.store.watch(['active'], ({ active }) => mark(active));
  return h('section', { class: 'panel', aria: { label: 'Files' } }, choose, list);
}

export const closeButton = (app: App): HTMLElement =>
  iconButton('close', 'Close this file', () => {
    const { active, edits } = app.store.state;
    if (active === null) return;
    if (edits.some(({ file, isUnsaved }) => file === active && isUnsaved)) askBeforeClosing(app, active);
    else app.session.remove(active);
  });

/** Edits that were not downloaded go with their file: they do so only if that is said. */
function askBeforeClosing(app: App, id: number): void {
  const name = nameOf(app.session.entry(id).path);
  const done = (act: () => unknown) => () => (dialog.close(), void act());
  const keep = async () => {
    await downloadFiles(app, [id]);
    // A download that fails has said so, and nothing is closed.
    if (!app.store.state.edits.some(({ file, isUnsaved }) => file === id && isUnsaved)) app.session.remove(id);
  };
  const dialog = h(
    'dialog',
    { aria: { label: 'Close the file' } },
    h('h2', {}, `${name} has edits that were not downloaded`),
    h('div', { class: 'row wrap' }, button('Download and close', done(keep), { class: 'strong' }), button('Close without them', done(() => app.session.remove(id))), button('Cancel', done(() => undefined))),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
