// SPDX-License-Identifier: MIT
import { App } from './app';
import { downloadChoice } from './downloads';
import { chooseFiles } from './files';
import { openHelp } from './help';
import { kRight, openPanel, toggleTheme } from './shell';
import { addAnnotation, stepFrames, togglePlay } from './timeline';

const kSpeeds = [0.1, 0.25, 0.5, 1, 2, 4];

/** Acts on the keys that the help lists. */
export function listenToKeys(app: App, help: HTMLDialogElement): void {
  const { store, session, stage } = app;
  const faster = (by: number) => {
    const at = kSpeeds.findIndex((speed) => speed >= store.state.speed);
    store.set({ speed: kSpeeds[Math.min(Math.max(at + by, 0), kSpeeds.length - 1)]! });
  };
  const lastFrame = () => (store.state.subject?.kind === 'motion' ? (store.state.subject.clip?.frameCount ?? 1) - 1 : 0);
  const plain: Record<string, (event: KeyboardEvent) => void> = {
    ' ': () => togglePlay(app),
    ArrowLeft: (event) => stepFrames(app, event.shiftKey ? -10 : -1),
    ArrowRight: (event) => stepFrames(app, event.shiftKey ? 10 : 1),
    Home: () => store.set({ frame: 0, playing: false }),
    End: () => store.set({ frame: lastFrame(), playing: false }),
    ArrowUp: () => void session.browse(-1),
    ArrowDown: () => void session.browse(1),
    l: () => store.set({ looping: !store.state.looping }),
    '-': () => faster(-1),
    '+': () => faster(1),
    '=': () => faster(1),
    a: () => addAnnotation(app),
    c: () => store.set({ curves: !store.state.curves }),
    f: () => stage.frame(),
    w: () => stage.orbit(0, 8, 1),
    s: () => stage.orbit(0, -8, 1),
    q: () => stage.orbit(-10, 0, 1),
    e: () => stage.orbit(10, 0, 1),
    z: () => stage.orbit(0, 0, 0.88),
    x: () => stage.orbit(0, 0, 1.14),
    r: () => store.set({ rootMotion: !store.state.rootMotion }),
    t: () => store.set({ trail: !store.state.trail }),
    n: () => store.set({ names: !store.state.names }),
    v: () => store.set({ axes: !store.state.axes }),
    d: () => toggleTheme(app),
    '/': () => {
      store.set({ left: 'bones' });
      store.tell();
      document.querySelector<HTMLElement>('#panel-bones input')?.focus();
    },
    '.': () => stepFrames(app, 1),
    '0': () => session.clock.reset(),
    Escape: () => store.set({ bone: null, body: null }),
    '?': () => openHelp(help),
  };
  kRight.forEach(([name], i) => (plain[String(i + 1)] = () => openPanel(app, name)));
  const control: Record<string, () => void> = {
    o: () => chooseFiles(app),
    s: () => void downloadChoice(app, 'This file'),
    z: () => session.history.undo(),
    y: () => session.history.redo(),
  };
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && (target as HTMLInputElement).type !== 'checkbox';
    if (help.open || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      const act = event.shiftKey && event.key.toLowerCase() === 'z' ? control.y : control[event.key.toLowerCase()];
      if (!act || (isTyping && event.key !== 's' && event.key !== 'o')) return;
      event.preventDefault();
      return act();
    }
    // A button that has the focus is pressed by space and Enter.
    if (isTyping || (event.key === ' ' && target.closest('button'))) return;
    const act = plain[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}
