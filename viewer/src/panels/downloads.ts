// SPDX-License-Identifier: MIT
import { sentenceOf } from '../abi/error';
import { download } from '../files/download';
import { nameOf, stemOf } from '../files/entry';
import { Saved, saveAnnotations, saveFile, saveGlb, saveMerged, saveSidecar } from '../store/saving';
import type { State } from '../store/state';
import { App } from './app';
import { h, sign } from './dom';
import { downloadFiles } from './edits';

interface Choice {
  label: string;
  isOffered: (state: State) => boolean;
  save: (app: App) => Promise<Saved | Blob> | Saved;
  name?: (app: App) => string;
}
const stem = (app: App) => (app.store.state.subject ? stemOf(app.session.entry(app.store.state.subject.file).path) : 'marrow');
const isMotion = ({ subject }: State) => subject?.kind === 'motion';

/** The file that is looked at. Of a stack it is the one that was edited, if it is only one. */
function shownFile(app: App): number {
  const { subject, stack, edited } = app.store.state;
  const changed = stack?.files.filter((file) => edited.has(file)) ?? [];
  return changed.length === 1 ? changed[0]! : subject!.file;
}

const kChoices: readonly Choice[] = [
  { label: 'This file', isOffered: ({ subject }) => subject !== null, save: (app) => saveFile(app.session, shownFile(app)) },
  { label: 'All edited files (zip)', isOffered: ({ edits }) => edits.length > 1, save: (app) => app.session.edits.zip() },
  { label: 'Merged skeleton (XML)', isOffered: ({ stack }) => (stack?.files.length ?? 0) > 1, save: (app) => saveMerged(app.session) },
  { label: 'glTF (.glb)', isOffered: ({ subject }) => subject !== null && subject.kind !== 'unshown', save: (app) => saveGlb(app.session) },
  { label: 'Annotations (text)', isOffered: (state) => isMotion(state) && state.subject?.kind === 'motion' && state.subject.clip !== null, save: (app) => saveAnnotations(app.session) },
  { label: 'Modifiers (sidecar)', isOffered: ({ rig }) => (rig?.modifiers.length ?? 0) > 0, save: (app) => saveSidecar(app.session) },
  { label: 'Picture (PNG)', isOffered: () => true, save: (app) => app.stage.picture(), name: (app) => `${stem(app)}.png` },
  { label: 'Picture for a mod page (1600 × 900)', isOffered: ({ subject }) => subject !== null && subject.kind !== 'unshown', save: (app) => app.stage.picture({ width: 1600, height: 900 }), name: (app) => `${stem(app)}_page.png` },
];

function give(saved: Saved | Blob, name = ''): void {
  if (saved instanceof Blob) download(name, saved);
  else download(saved.name, saved.bytes as BlobPart);
}

/** Downloads what a choice offers. Edited files count as saved afterwards if they are what was downloaded. */
export async function downloadChoice(app: App, label: string): Promise<void> {
  const choice = kChoices.find((each) => each.label === label)!;
  try {
    const saved = await choice.save(app);
    give(saved, choice.name?.(app));
    if (label === 'This file') app.session.edits.saved([shownFile(app)]);
    if (label === 'All edited files (zip)') app.session.edits.saved(app.store.state.edited);
  } catch (failure) {
    app.session.say(sentenceOf(failure), 'error');
  }
}

/** The menu of what can be downloaded. */
export function downloadMenu(app: App): HTMLElement {
  const menu = h('div', { class: 'menu', role: 'menu', hidden: true, aria: { label: 'Download' } });
  const opener = h('button', { type: 'button', class: 'strong', aria: { haspopup: 'menu', expanded: 'false', label: 'Download' }, title: 'Download (Ctrl+S: this file)' }, sign('save'), h('span', {}, 'Download'));
  const close = () => {
    menu.hidden = true;
    opener.setAttribute('aria-expanded', 'false');
  };
  const open = () => {
    const item = (label: string, act: () => void) => h('button', { type: 'button', role: 'menuitem', on: { click: () => (close(), opener.focus(), act()) } }, label);
    const { stack, edited } = app.store.state;
    // Of a stack, each file by its name: it must be plain which one comes.
    const parts = stack && stack.files.length > 1 ? stack.files : [];
    menu.replaceChildren(
      ...parts.map((file) => item(`${nameOf(app.session.entry(file).path)}${edited.has(file) ? ' (edited)' : ''}`, () => void downloadFiles(app, [file]))),
      ...kChoices
        .filter((choice) => choice.isOffered(app.store.state) && !(parts.length > 0 && choice.label === 'This file'))
        .map((choice) => item(choice.label, () => void downloadChoice(app, choice.label))),
      item('Film …', () => app.session.view.setRecording(true)),
    );
    menu.hidden = false;
    opener.setAttribute('aria-expanded', 'true');
    (menu.firstElementChild as HTMLElement | null)?.focus();
  };
  opener.addEventListener('click', () => (menu.hidden ? open() : close()));
  menu.addEventListener('keydown', (event) => {
    const items = [...menu.children] as HTMLElement[];
    const at = items.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'ArrowDown') items[(at + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp') items[(at + items.length - 1) % items.length]?.focus();
    else if (event.key === 'Escape') (close(), opener.focus());
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener('pointerdown', (event) => {
    if (!holder.contains(event.target as Node)) close();
  });
  const holder = h('div', { class: 'menu-holder' }, opener, menu);
  return holder;
}
