// SPDX-License-Identifier: MIT
import { sentenceOf } from './abi/error';
import { Marrow } from './abi/marrow';
import { droppedFiles } from './files/drop';
import { entryOfBytes, nextBatch } from './files/entry';
import { forgetFiles, keepFiles } from './files/remember';
import { App } from './panels/app';
import { h } from './panels/dom';
import { helpDialog, openHelp } from './panels/help';
import { listenToKeys } from './panels/keys';
import { listenToPointer } from './panels/pointer';
import { bottom, header, leftSide, overlays, rightSide } from './panels/shell';
import { Stage } from './scene/stage';
import { Session } from './store/session';
import { State, initialState } from './store/state';
import { Store } from './store/store';

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';

function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
}
async function startLibrary(): Promise<Marrow> {
  const packed = new Blob([bytesOfBase64(textOf('marrow-wasm'))]);
  const bytes = await new Response(packed.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  return Marrow.start(bytes);
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
function keepPreferences(store: Store<State>): void {
  store.watch(['theme', 'remember'], ({ theme, remember }) => {
    try {
      localStorage.setItem('marrow', JSON.stringify({ theme, remember }));
    } catch {
      // A browser that keeps nothing still shows everything.
    }
  });
  store.watch(['files', 'sample', 'remember'], ({ files, sample, remember }) => {
    if (!remember) void forgetFiles();
    else if (!sample && files.length > 0) void keepFiles(files);
  });
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
      await app.session.add(await droppedFiles(event.dataTransfer));
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
  root.append(view);
  const stage = new Stage(session, view);
  const app: App = { session, store, stage };
  const help = helpDialog(marrow.version());
  view.append(...overlays(app));
  root.append(header(app, () => openHelp(help)), leftSide(app), rightSide(app), bottom(app), help);
  listenToKeys(app, help);
  listenToPointer(app, stage.canvas);
  listenToDrops(app, root);
  keepPreferences(store);
  addEventListener('beforeunload', (event) => session.hasUnsaved && event.preventDefault());
  const given = embedded('marrow-files');
  await (given.length > 0 ? session.add(given) : session.add(embedded('marrow-sample'), true));
  stage.start();
  // For scripts in the console, and for the tests.
  Object.assign(window, { marrow: app });
}

start().catch((failure: unknown) => {
  document.getElementById('app')!.replaceChildren(
    h('div', { class: 'card', role: 'alert' }, h('h2', {}, 'The viewer could not start'), h('p', {}, sentenceOf(failure)), h('p', { class: 'note' }, 'It needs a current browser with WebAssembly and WebGL 2.')),
  );
});
