// SPDX-License-Identifier: MIT
import { sentenceOf } from '../abi/error';
import { download } from '../files/download';
import { stemOf } from '../files/entry';
import { Saved, saveAnnotations, saveFile, saveGlb, saveMerged, saveSidecar } from '../store/saving';
import type { State } from '../store/state';
import { App } from './app';
import { h, sign } from './dom';

const kSecondsOfFilm = 4;
/** A film without a single picture is smaller. A busy machine gets a minute more to record one. */
const kLeastBytesOfFilm = 1000, kMostSecondsOfFilm = 60;

interface Choice {
  label: string;
  isOffered: (state: State) => boolean;
  save: (app: App) => Promise<Saved | Blob> | Saved;
  name?: (app: App) => string;
}
const stem = (app: App) => (app.store.state.subject ? stemOf(app.session.entry(app.store.state.subject.file).path) : 'marrow');
const isMotion = ({ subject }: State) => subject?.kind === 'motion';

const kChoices: readonly Choice[] = [
  { label: 'This file', isOffered: ({ subject }) => subject !== null, save: (app) => saveFile(app.session, app.store.state.subject!.file) },
  {
    label: 'All edited files', isOffered: ({ edited }) => edited.size > 1,
    save: async (app) => {
      const files = [...app.store.state.edited];
      for (const file of files.slice(1)) give(app, await saveFile(app.session, file));
      return saveFile(app.session, files[0]!);
    },
  },
  { label: 'Merged skeleton (XML)', isOffered: ({ stack }) => (stack?.files.length ?? 0) > 1, save: (app) => saveMerged(app.session) },
  { label: 'glTF (.glb)', isOffered: ({ subject }) => subject !== null && subject.kind !== 'unshown', save: (app) => saveGlb(app.session) },
  { label: 'Annotations (text)', isOffered: (state) => isMotion(state) && state.subject?.kind === 'motion' && state.subject.clip !== null, save: (app) => saveAnnotations(app.session) },
  { label: 'Modifiers (sidecar)', isOffered: ({ rig }) => (rig?.modifiers.length ?? 0) > 0, save: (app) => saveSidecar(app.session) },
  { label: 'Picture (PNG)', isOffered: () => true, save: (app) => app.stage.picture(), name: (app) => `${stem(app)}.png` },
  { label: `Film of ${kSecondsOfFilm} seconds (WebM)`, isOffered: () => typeof MediaRecorder !== 'undefined', save: (app) => film(app), name: (app) => `${stem(app)}.webm` },
];

function give(app: App, saved: Saved | Blob, name = ''): void {
  if (saved instanceof Blob) download(name, saved);
  else download(saved.name, saved.bytes);
  void app;
}

/** Records the picture while it moves. */
async function film(app: App): Promise<Blob> {
  app.session.say(`Recording ${kSecondsOfFilm} seconds.`, 'info');
  const recorder = new MediaRecorder(app.stage.canvas.captureStream(30), { mimeType: 'video/webm', videoBitsPerSecond: 8e6 });
  const parts: Blob[] = [];
  let size = 0;
  recorder.ondataavailable = (event) => {
    parts.push(event.data);
    size += event.data.size;
  };
  const done = new Promise<void>((resolve) => (recorder.onstop = () => resolve()));
  const start = performance.now(), seconds = () => (performance.now() - start) / 1000;
  // What stands still is drawn again too: the stream takes only what is drawn.
  const drawing = setInterval(() => app.stage.invalidate(), 1000 / 30);
  recorder.start(250);
  while (seconds() < kSecondsOfFilm || (size < kLeastBytesOfFilm && seconds() < kMostSecondsOfFilm)) await new Promise((resolve) => setTimeout(resolve, 100));
  clearInterval(drawing);
  recorder.stop();
  await done;
  if (size < kLeastBytesOfFilm) throw new Error('The browser recorded no picture.');
  return new Blob(parts, { type: 'video/webm' });
}

/** Downloads what a choice offers. Edited files count as saved afterwards only if they are what was downloaded. */
export async function downloadChoice(app: App, label: string): Promise<void> {
  const choice = kChoices.find((each) => each.label === label)!;
  try {
    const saved = await choice.save(app);
    give(app, saved, choice.name?.(app));
    if (label === 'This file' || label === 'All edited files') app.session.saved = new Set(app.store.state.edited);
  } catch (failure) {
    app.session.say(sentenceOf(failure), 'error');
  }
}

/** The menu of what can be downloaded. */
export function downloadMenu(app: App): HTMLElement {
  const menu = h('div', { class: 'menu', role: 'menu', hidden: true, aria: { label: 'Download' } });
  const opener = h('button', { type: 'button', class: 'strong', aria: { haspopup: 'menu', expanded: 'false' }, title: 'Download (Ctrl+S: this file)' }, sign('save'), 'Download');
  const close = () => {
    menu.hidden = true;
    opener.setAttribute('aria-expanded', 'false');
  };
  const open = () => {
    menu.replaceChildren(
      ...kChoices
        .filter((choice) => choice.isOffered(app.store.state))
        .map((choice) =>
          h('button', { type: 'button', role: 'menuitem', on: { click: () => (close(), opener.focus(), void downloadChoice(app, choice.label)) } }, choice.label),
        ),
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
