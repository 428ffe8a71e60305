// SPDX-License-Identifier: MIT
// What a clip plays on: the choice, and a banner if it was not made for that.
import { Fit } from '../abi/marrow';
import { nameOf } from '../files/entry';
import type { SkeletonChoice } from '../store/plays_on';
import type { Motion } from '../store/state';
import { App } from './app';
import { button, h, labelled, select } from './dom';

const kMarks: Record<Fit, string> = { [Fit.Right]: '', [Fit.Unknown]: ' (not certain)', [Fit.Other]: ' (does not fit)' };

/** The name of a skeleton's file; with its folder if another file has that name. */
function labelOf(app: App, { file }: SkeletonChoice, choices: readonly SkeletonChoice[]): string {
  const { path } = app.session.entry(file);
  const isShared = choices.some((each) => each.file !== file && nameOf(app.session.entry(each.file).path) === nameOf(path));
  return isShared && path.includes('/') ? path.split('/').slice(-2).join('/') : nameOf(path);
}

/** Choosers for the skeletons that a clip plays on, and for the clip if the file has several. */
export function playsOnChoice(app: App, subject: Motion): Node[] {
  const { plays, file, clips, clipIndex } = subject;
  const out: Node[] = [];
  if (clips.length > 1) out.push(labelled('Clip', select(clips.map((name, i) => [String(i), name] as const), String(clipIndex), (value) => void app.session.showClip(file, Number(value)))));
  if (!plays) return out;
  const { choices } = plays;
  const options = (isMarked: boolean) => choices.map((each) => [String(each.file), labelOf(app, each, choices) + (isMarked ? kMarks[each.fit] : '')] as const);
  if (choices.length > 0) {
    const second = plays.second ?? undefined;
    const first = select(options(second === undefined), String(plays.file), (value) => void app.session.playOn(file, Number(value), second));
    out.push(labelled(second === undefined ? 'Plays on' : 'First actor', first, choices.find((each) => each.file === plays.file)?.words ?? ''));
    if (second !== undefined) out.push(labelled('Second actor', select(options(false), String(second), (value) => void app.session.playOn(file, plays.file, Number(value)))));
  }
  return out;
}

/** A red strip over the picture while a clip plays on a skeleton that it was not made for. */
export function fitBanner(app: App): HTMLElement {
  const banner = h('div', { class: 'banner', role: 'alert', hidden: true });
  app.store.watch(['subject', 'files'], ({ subject }) => {
    const warning = subject?.kind === 'motion' ? subject.plays?.warning : null;
    banner.hidden = !warning;
    if (!warning || subject?.kind !== 'motion') return;
    const { better } = warning;
    const name = better === null || !app.session.has(better) ? null : nameOf(app.session.entry(better).path);
    banner.replaceChildren(h('span', { class: 'grow' }, warning.words), name && better !== null ? button(`Play on ${name}`, () => void app.session.playOn(subject.file, better), { class: 'chip' }) : '');
  });
  return banner;
}

/** Buttons that play a clip on a skeleton which does not fit. */
export function playAnyway(app: App, file: number, choices: readonly SkeletonChoice[]): Node[] {
  return choices.slice(0, 4).map((each) => button(`Play on ${labelOf(app, each, choices)} all the same`, () => void app.session.playOn(file, each.file)));
}
