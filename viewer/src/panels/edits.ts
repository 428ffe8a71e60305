// SPDX-License-Identifier: MIT
import { sentenceOf } from '../abi/error';
import { download } from '../files/download';
import { nameOf } from '../files/entry';
import { saveFile } from '../store/saving';
import type { State } from '../store/state';
import { App } from './app';
import { breakable, button, h } from './dom';

/** Lines of one file that are listed; the rest is counted. */
const kMostLines = 12;

/** What was edited, file by file, each with its own download, and one button for all. */
export function editsPanel(app: App): HTMLElement {
  const list = h('div', { class: 'edits' });
  const waiting = h('div', { class: 'edits' });
  app.store.watch(['waiting'], (state) => waiting.replaceChildren(...earlierEdits(app, state)));
  app.store.watch(['edits', 'files'], ({ edits, files }) => {
    if (edits.length === 0) {
      list.replaceChildren(h('p', { class: 'note' }, 'Nothing was edited. What you change is listed here, to download or to drop. It stays in this browser until then.'));
      return;
    }
    const rows = edits
      .filter(({ file }) => files.some(({ id }) => id === file))
      .map(({ file, labels, isUnsaved }) => {
        const name = nameOf(app.session.entry(file).path);
        return h(
          'section',
          { class: 'file-edits', aria: { label: name } },
          h('h2', {}, ...breakable(name)),
          h('p', { class: isUnsaved ? 'quiet unsaved' : 'quiet' }, isUnsaved ? 'not downloaded' : 'downloaded'),
          h('ul', {}, ...labels.slice(-kMostLines).map((label) => h('li', {}, label))),
          labels.length > kMostLines && h('p', { class: 'quiet' }, `and ${labels.length - kMostLines} before`),
          h('div', { class: 'row' }, button('Download', () => void downloadFiles(app, [file]), { class: 'grow', aria: { label: `Download ${name}` } }), button('Drop', () => app.session.edits.drop(file), { title: 'take all edits of this file back', aria: { label: `Drop the edits of ${name}` } })),
        );
      });
    list.replaceChildren(edits.length > 1 ? button(`Download all ${edits.length} (zip)`, () => void downloadFiles(app, edits.map(({ file }) => file)), { class: 'strong wide' }) : '', ...rows);
  });
  return h('section', { class: 'panel scroll', aria: { label: 'Edits' } }, list, waiting);
}

/** Edits of earlier sessions, of files that are not open: they can be opened, or dropped. */
function earlierEdits({ session }: App, { waiting }: State): Node[] {
  return waiting.map(({ key, edited }) => {
    const names = edited.map((file) => nameOf(file.path)).join(', ');
    return h(
      'section',
      { class: 'file-edits', aria: { label: `Earlier edits of ${names}` } },
      h('h2', {}, ...breakable(names)),
      h('p', { class: 'quiet unsaved' }, 'of an earlier visit, not downloaded'),
      h('ul', {}, ...edited.flatMap((file) => file.kept?.labels ?? []).slice(-kMostLines).map((label) => h('li', {}, label))),
      h('div', { class: 'row' }, button('Open', () => void session.settle(key, true), { class: 'grow', aria: { label: `Open the earlier edits of ${names}` } }), button('Drop', () => void session.settle(key, false), { aria: { label: `Drop the earlier edits of ${names}` } })),
    );
  });
}

/** Downloads edited files: one as it is, several in one archive. */
export async function downloadFiles(app: App, files: readonly number[]): Promise<void> {
  const { session } = app;
  try {
    const saved = files.length === 1 ? await saveFile(session, files[0]!) : await session.edits.zip();
    download(saved.name, saved.bytes as BlobPart);
    session.edits.saved(files);
  } catch (failure) {
    session.say(sentenceOf(failure), 'error');
  }
}
