// SPDX-License-Identifier: MIT
import { gunzipSync } from 'three/examples/jsm/libs/fflate.module.js';
import { sentenceOf } from './abi/error';
import { Marrow } from './abi/marrow';
import { droppedFiles } from './files/drop';
import { FileEntry, entryOfBytes, nextBatch } from './files/entry';
import { adoptSession, endedSessions, forgetFiles, keepFiles, noteOpenPage, watchOpenPages } from './files/remember';
import { App } from './panels/app';
import { h } from './panels/dom';
import { filmDialog } from './panels/film';
import { graphPanel } from './panels/graph';
import { helpDialog, openHelp } from './panels/help';
import { listenToKeys } from './panels/keys';
import { listenToPointer } from './panels/pointer';
import { bottom, header, leftSide, overlays, rightSide, watchSides } from './panels/shell';
import { Stage } from './scene/stage';
import { Session } from './store/session';
import { State, initialState } from './store/state';
import { Store } from './store/store';

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';

function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
}
async function unpacked(packed: Uint8Array): Promise<ArrayBuffer> {
  return new Response(new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** The part of the library that common files do not need: unpacked when the page has time, or when it is called first. */
class Rest {
  private module: WebAssembly.Module | null = null;

  take(): WebAssembly.Module {
    return (this.module ??= new WebAssembly.Module(gunzipSync(bytesOfBase64(textOf('marrow-rest'))) as BufferSource));
  }
  async prepare(): Promise<void> {
    const text = textOf('marrow-rest');
    if (text.trim() === '') return;
    const module = await WebAssembly.compile(await unpacked(bytesOfBase64(text)));
    this.module ??= module;
  }
}
const rest = new Rest();
/** Long enough for the first picture. */
const kMillisecondsBeforeRest = 1500;

async function startLibrary(): Promise<Marrow> {
  return Marrow.start(await unpacked(bytesOfBase64(textOf('marrow-wasm'))), () => rest.take());
}

interface Embedded {
  path: string;
  data: string;
}
/** Files that were put into the page when it was made. */
function embedded(id: string) {
  const batch = nextBatch();
  return (JSON.parse(textOf(id) || '[]') as Embedded[]).map(({ path, data }) => entryOfBytes(path, bytesOfBase64(data), batch));
}

function preferences(): Partial<State> {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  try {
    const kept = JSON.parse(localStorage.getItem('marrow') ?? '{}') as Partial<State>;
    return { theme: kept.theme ?? (isDark ? 'dark' : 'light'), remember: kept.remember ?? true };
  } catch {
    return { theme: isDark ? 'dark' : 'light' };
  }
}
function keepPreferences(store: Store<State>, session: Session): void {
  store.watch(['theme', 'remember'], ({ theme, remember }) => {
    try {
      localStorage.setItem('marrow', JSON.stringify({ theme, remember }));
    } catch {
      // A browser that keeps nothing still shows everything.
    }
  });
  let timer = 0;
  store.watch(['files', 'sample', 'remember', 'edits'], ({ files, sample, remember, edits }) => {
    clearTimeout(timer);
    if (!remember) return void forgetFiles();
    // What is dragged changes many times in a second.
    timer = setTimeout(() => {
      if ((!sample || edits.length > 0) && files.length > 0) void keepFiles(files, (file) => session.edits.kept(file)).catch(() => undefined);
    }, kMillisecondsToKeep) as unknown as number;
  });
}
const kMillisecondsToKeep = 200;

const areEqual = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Shows what the page was given; else what was edited and not downloaded in earlier sessions; else the sample. */
async function openFirst(session: Session): Promise<void> {
  const given = embedded('marrow-files');
  const { edited } = session.state.remember ? await endedSessions() : { edited: [] };
  if (given.length === 0 && edited.length === 0) return session.add(embedded('marrow-sample'), true);
  if (given.length === 0) {
    edited.forEach(({ key }) => adoptSession(key));
    await session.add(edited.flatMap(({ files }) => files));
    return session.say('Edits of your last visit are back. The tab Edits lists them.', 'info');
  }
  // Edits of the same files go on; those of others wait.
  const restored: FileEntry[] = [];
  const waiting = [];
  for (const ended of edited) {
    const open = [];
    for (const file of ended.files.filter((each) => each.kept)) {
      const bytes = await file.read();
      let twin: FileEntry | null = null;
      for (const each of given) if (each.path === file.path && !restored.includes(each) && areEqual(await each.read(), bytes)) twin = each;
      if (twin && file.kept) restored.push(Object.assign(twin, { kept: file.kept }));
      else open.push(file);
    }
    if (open.length > 0) waiting.push({ key: ended.key, files: ended.files, edited: open });
    else adoptSession(ended.key);
  }
  await session.add(given);
  session.setWaiting(waiting);
  if (restored.length > 0) session.say('Edits of your last visit are back. The tab Edits lists them.', 'info');
  else if (waiting.length > 0) session.say('Edits of an earlier visit wait in the tab Edits.', 'info');
}

function listenToDrops(app: App, root: HTMLElement): void {
  let depth = 0;
  const over = (by: number) => root.classList.toggle('dropping', (depth = Math.max(0, depth + by)) > 0);
  root.addEventListener('dragenter', () => over(1));
  root.addEventListener('dragleave', () => over(-1));
  root.addEventListener('dragover', (event) => event.preventDefault());
  root.addEventListener('drop', async (event) => {
    event.preventDefault();
    depth = 0;
    over(0);
    if (!event.dataTransfer) return;
    try {
      await app.session.add(await droppedFiles(app.session.marrow, event.dataTransfer));
    } catch (failure) {
      app.session.say(sentenceOf(failure), 'error');
    }
  });
}

async function start(): Promise<void> {
  const root = document.getElementById('app')!;
  const marrow = await startLibrary();
  const store = new Store<State>({ ...initialState(), ...preferences() });
  const session = new Session(marrow, store);
  document.documentElement.dataset.theme = store.state.theme;
  const view = h('main', { class: 'stage', aria: { label: 'Picture' } });
  const stage = new Stage(session, view);
  const app: App = { session, store, stage };
  const help = helpDialog(marrow.version());
  view.append(...overlays(app));
  // In the order in which it is read, which is that of the focus.
  root.append(header(app, () => openHelp(help)), leftSide(app), graphPanel(app), view, bottom(app), rightSide(app), help);
  watchSides(app, root);
  const film = filmDialog(app);
  root.append(film);
  store.watch(['recording'], ({ recording }) => recording && !film.open && film.showModal());
  listenToKeys(app, help);
  listenToPointer(app, stage.canvas);
  listenToDrops(app, root);
  keepPreferences(store, session);
  addEventListener('beforeunload', (event) => session.hasUnsaved && event.preventDefault());
  noteOpenPage();
  await openFirst(session);
  if (session.state.remember) void watchOpenPages(({ key, files }) => session.offer({ key, files, edited: files.filter((each) => each.kept) }));
  stage.start();
  setTimeout(() => void rest.prepare().catch(() => undefined), kMillisecondsBeforeRest);
  // For scripts in the console, and for the tests.
  Object.assign(window, { marrow: app });
}

start().catch((failure: unknown) => {
  document.getElementById('app')!.replaceChildren(
    h('div', { class: 'card', role: 'alert' }, h('h2', {}, 'The viewer could not start'), h('p', {}, sentenceOf(failure)), h('p', { class: 'note' }, 'It needs a current browser with WebAssembly and WebGL 2.')),
  );
});
