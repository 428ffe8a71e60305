// SPDX-License-Identifier: MIT
import { App } from './app';
import { downloadChoice } from './downloads';
import { chooseFiles } from './files';
import { openHelp } from './help';
import { kRight, openPanel, toggleTheme } from './shell';
import { addAnnotation, stepFrames, togglePlay } from './timeline';

/** Closes what lies over the picture; if nothing does, nothing is selected any more. */
function leave({ store, session: { view } }: App): void {
  const { narrow, leftOpen, rightOpen, isMeasuring, isPosing, eyeBone } = store.state;
  if (narrow && (leftOpen || rightOpen)) {
    view.openSide('left', false);
    view.openSide('right', false);
  } else if (eyeBone !== null) view.lookFrom(null);
  else if (isMeasuring) view.toggleRuler();
  else if (isPosing) view.togglePosing();
  else view.selectNothing();
}

const kMoving = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'];
/** True if text is typed into a control. */
const isTyped = (control: HTMLElement): boolean => control.tagName === 'TEXTAREA' || (control instanceof HTMLInputElement && !/^(checkbox|range)$/.test(control.type));
/** True if a control that has the focus needs a key itself: the page must not act on it, too. A slider moves, a list is
 *  opened and searched, a button is pressed; all other keys mean what they always mean. */
function needsKey(control: HTMLElement, key: string): boolean {
  if (isTyped(control) || control instanceof HTMLSelectElement) return true;
  if (control instanceof HTMLInputElement && control.type === 'range') return kMoving.includes(key);
  return key === ' ' && (control instanceof HTMLInputElement || control.closest('button') !== null);
}

/** Acts on the keys that the help lists. */
export function listenToKeys(app: App, help: HTMLDialogElement): void {
  const { store, session, stage } = app;
  const { view } = session;
  const plain: Record<string, (event: KeyboardEvent) => void> = {
    ' ': () => togglePlay(app),
    ArrowLeft: (event) => stepFrames(app, event.shiftKey ? -10 : -1),
    ArrowRight: (event) => stepFrames(app, event.shiftKey ? 10 : 1),
    Home: () => view.goTo(0),
    End: () => view.goTo(view.lastFrame),
    ArrowUp: () => void session.browse(-1),
    ArrowDown: () => void session.browse(1),
    l: () => view.flip('looping'),
    '-': () => view.changeSpeed(-1),
    '+': () => view.changeSpeed(1),
    '=': () => view.changeSpeed(1),
    a: () => addAnnotation(app),
    c: () => view.flip('curves'),
    f: () => stage.frame(),
    w: () => stage.orbit(0, 8, 1),
    s: () => stage.orbit(0, -8, 1),
    q: () => stage.orbit(-10, 0, 1),
    e: () => stage.orbit(10, 0, 1),
    z: () => stage.orbit(0, 0, 0.88),
    x: () => stage.orbit(0, 0, 1.14),
    r: () => view.flip('rootMotion'),
    t: () => view.flip('trail'),
    n: () => view.flip('names'),
    b: () => view.flip('bodies'),
    v: () => view.flip('axes'),
    h: () => view.flip('helpers'),
    o: () => view.flip('parallel'),
    g: () => view.flip('follow'),
    j: () => view.setGhosts((store.state.ghosts + 1) % 5),
    k: () => void session.toggleContacts(),
    m: () => view.toggleRuler(),
    p: () => view.togglePosing(),
    d: () => toggleTheme(app),
    '/': () => {
      view.openLeft('bones');
      store.tell();
      document.querySelector<HTMLElement>('#panel-bones input')?.focus();
    },
    '.': () => stepFrames(app, 1),
    '0': () => session.clock.reset(),
    Escape: () => leave(app),
    '[': () => view.openSide('left', !store.state.leftOpen),
    ']': () => view.openSide('right', !store.state.rightOpen),
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
    if (event.altKey || document.querySelector('dialog[open]')) return;
    if (event.ctrlKey || event.metaKey) {
      const act = event.shiftKey && event.key.toLowerCase() === 'z' ? control.y : control[event.key.toLowerCase()];
      if (!act || (isTyped(target) && event.key !== 's' && event.key !== 'o')) return;
      event.preventDefault();
      return act();
    }
    if (needsKey(target, event.key)) return;
    const act = plain[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}
