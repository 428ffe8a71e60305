// SPDX-License-Identifier: MIT
// The clip in time: play, scrub, step, speed; annotations as ticks that are dragged, renamed, added and deleted.
import type { Annotation } from '../abi/marrow';
import { kSpeeds } from '../store/view';
import { App } from './app';
import { editSheet, trimBar, trimHandles } from './clip_edits';
import { button, h, iconButton, select } from './dom';
import { eventSheet } from './events';
import { poseKeys } from './pose_keys';

export function timelinePanel(app: App): HTMLElement {
  const { session, store } = app;
  const scrub = h('input', { type: 'range', min: '0', step: '0.01', class: 'scrub', aria: { label: 'Frame' } });
  const now = h('output', { class: 'now' });
  const play = iconButton('play', 'Play', () => togglePlay(app), { class: 'strong' });
  const loop = iconButton('loop', 'Loop', () => session.view.flip('looping'));
  const ticks = h('div', { class: 'ticks', role: 'group', aria: { label: 'Annotations' } });
  // The annotations of another file are others: none of them is chosen, and none has the focus.
  let file: number | null = null;
  store.watch(['subject'], ({ subject }) => {
    if ((subject?.file ?? null) === file) return;
    [file, chosen] = [subject?.file ?? null, null];
    ticks.replaceChildren();
  });
  const editor = annotationEditor(app);
  const speed = select(kSpeeds.map((each) => [String(each), `${each}×`] as const), '1', (value) => session.view.setSpeed(Number(value)), 'Speed');
  const controls = h(
    'div',
    { class: 'controls' },
    iconButton('back', 'Step back one frame', () => stepFrames(app, -1)),
    play,
    iconButton('forward', 'Step forward one frame', () => stepFrames(app, 1)),
    loop,
    speed,
    now,
    h('span', { class: 'grow' }),
    trimBar(app),
    eventSheet(app),
    editSheet(app),
    iconButton('plus', 'Add an annotation here', () => addAnnotation(app)),
    iconButton('curve', 'Show curves', () => session.view.flip('curves')),
  );
  scrub.addEventListener('input', () => session.view.goTo(Number(scrub.value)));
  const lane = h('div', { class: 'lane' });
  lane.append(trimHandles(app, lane));
  const panel = h('section', { class: 'timeline', aria: { label: 'Timeline' } }, controls, h('div', { class: 'track' }, ticks, scrub, lane, poseKeys(app)), editor);

  store.watch(['subject', 'rig'], ({ subject }) => {
    const clip = subject?.kind === 'motion' ? subject.clip : null;
    panel.hidden = !clip;
    if (!clip || subject?.kind !== 'motion') return;
    scrub.max = String(Math.max(clip.frameCount - 1, 0));
    renderTicks(app, ticks, subject.annotations, clip.durationSeconds);
  });
  new ResizeObserver(() => {
    const { subject } = store.state;
    if (subject?.kind === 'motion' && subject.clip) renderTicks(app, ticks, subject.annotations, subject.clip.durationSeconds);
  }).observe(lane);
  store.watch(['frame', 'subject'], ({ frame, subject }) => {
    if (subject?.kind !== 'motion' || !subject.clip) return;
    scrub.value = String(frame);
    const last = Math.max(subject.clip.frameCount - 1, 0);
    now.textContent = `${frame.toFixed(frame % 1 ? 1 : 0)} / ${last}   ${subject.actor.secondsOf(frame).toFixed(3)} s`;
    scrub.setAttribute('aria-valuetext', `frame ${frame.toFixed(1)} of ${last}`);
  });
  store.watch(['playing', 'looping'], ({ playing, looping }) => {
    const name = playing ? 'Pause' : 'Play';
    play.setAttribute('aria-label', name);
    play.title = `${name} (space)`;
    play.classList.toggle('pausing', playing);
    play.querySelector('path')!.setAttribute('d', playing ? 'M4.5 3v10M11.5 3v10' : 'M4 2.5v11l9-5.5z');
    loop.setAttribute('aria-pressed', String(looping));
  });
  store.watch(['speed'], ({ speed: now }) => (speed.value = String(now)));
  return panel;
}

export function togglePlay(app: App): void {
  app.session.view.togglePlay();
}
/** Steps whole frames; a rig makes one step of its own. */
export function stepFrames(app: App, by: number): void {
  const { subject, frame, rig } = app.store.state;
  if (rig && by > 0) {
    app.session.view.setWorld({ running: false });
    app.session.clock.step();
    return;
  }
  if (subject?.kind !== 'motion' || !subject.clip) return;
  const next = by > 0 ? Math.floor(frame + 1e-6) + by : Math.ceil(frame - 1e-6) + by;
  app.session.view.goTo(next);
}

/** How many rows of ticks have words; the others have only a tooltip. */
const kMostRows = 4;
/** A tick with the space around it, as style.css has it; fingers need larger ones. */
const kTouched = matchMedia('(pointer: coarse)');
const roomOfTick = () => (kTouched.matches ? { wide: 17, row: 19 } : { wide: 12, row: 14 });
const measure = document.createElement('canvas').getContext('2d');

/** Where a tick is, and on which side of it its words are: 1 behind it, -1 in front of it, 0 nowhere. */
interface Standing {
  row: number;
  words: -1 | 0 | 1;
}

/** Finds a row for each tick, so that their words do not cover each other. */
function rowsOf(annotations: readonly Annotation[], duration: number, width: number): Standing[] {
  const { wide: tick } = roomOfTick();
  if (measure) measure.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const taken: [from: number, to: number][][] = [];
  const isFree = (row: number, from: number, to: number) => (taken[row] ?? []).every(([a, b]) => to <= a || b <= from);
  return annotations.map(({ text, time }) => {
    const share = duration > 0 ? time / duration : 0, at = share * width;
    const long = (measure?.measureText(text).width ?? 80) + 6;
    const isBefore = at + tick / 2 + long > width;
    const [from, to] = isBefore ? [at - tick / 2 - long, at + tick / 2] : [at - tick / 2, at + tick / 2 + long];
    let row = 0;
    while (row < kMostRows && !isFree(row, from, to)) ++row;
    const hasRoom = row < kMostRows && from >= -tick && to <= width;
    if (!hasRoom) for (row = 0; !isFree(row, at - tick / 2, at + tick / 2) && row < annotations.length; ) ++row;
    (taken[row] ??= []).push(hasRoom ? [from, to] : [at - tick / 2, at + tick / 2]);
    return { row, words: hasRoom ? (isBefore ? -1 : 1) : 0 };
  });
}

/** The annotation that is edited. */
let chosen: number | null = null;

function renderTicks(app: App, ticks: HTMLElement, annotations: readonly Annotation[], duration: number): void {
  const { row: tall } = roomOfTick();
  const focused = Number((document.activeElement as HTMLElement | null)?.dataset?.annotation ?? -1);
  const standing = rowsOf(annotations, duration, ticks.clientWidth);
  ticks.replaceChildren(
    ...annotations.map((annotation, i) => {
      const share = duration > 0 ? annotation.time / duration : 0;
      const tick = h('button', {
        type: 'button', class: 'tick', title: `${annotation.text}\n${annotation.time.toFixed(4)} s, track ${annotation.track}`,
        data: { annotation: String(i), text: annotation.text }, aria: { label: `${annotation.text} at ${annotation.time.toFixed(3)} seconds` },
      });
      tick.style.left = `${share * 100}%`;
      const { row, words } = standing[i]!;
      tick.style.top = `${row * tall}px`;
      if (words !== 0) tick.append(h('span', { class: words < 0 ? 'words before' : 'words', aria: { hidden: 'true' } }, annotation.text));
      if (i === chosen) tick.classList.add('chosen');
      dragTick(app, tick, i, ticks, duration);
      return tick;
    }),
  );
  ticks.style.height = `${(Math.max(0, ...standing.map(({ row }) => row)) + 1) * tall + 2}px`;
  if (focused >= 0) ticks.querySelector<HTMLElement>(`[data-annotation="${focused}"]`)?.focus();
}

const current = (app: App): readonly Annotation[] => {
  const { subject } = app.store.state;
  return subject?.kind === 'motion' ? subject.annotations : [];
};

function moveAnnotation(app: App, index: number, time: number, gesture: string): void {
  const list = current(app);
  const { subject } = app.store.state;
  if (subject?.kind !== 'motion' || !subject.clip || !list[index]) return;
  const at = Math.fround(Math.min(Math.max(time, 0), subject.clip.durationSeconds));
  app.session.annotate(`move ${list[index]!.text}`, list.map((each, i) => (i === index ? { ...each, time: at } : each)), gesture);
}

/** Dragging moves an annotation to the nearest frame; with Alt it goes anywhere. */
function dragTick(app: App, tick: HTMLElement, index: number, ticks: HTMLElement, duration: number): void {
  const { store, session } = app;
  const rate = () => {
    const { subject } = store.state;
    return subject?.kind === 'motion' ? subject.actor.rate : 30;
  };
  tick.addEventListener('pointerdown', (down: PointerEvent) => {
    choose(app, index);
    const gesture = `drag ${performance.now()}`;
    const start = down.clientX;
    let moved = false;
    const move = (event: PointerEvent) => {
      if (!moved && Math.abs(event.clientX - start) < 3) return;
      moved = true;
      const box = ticks.getBoundingClientRect();
      const time = ((event.clientX - box.left) / box.width) * duration;
      moveAnnotation(app, index, event.altKey ? time : Math.round(time * rate()) / rate(), gesture);
    };
    const up = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      session.history.endGesture();
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
  });
  tick.addEventListener('focus', () => choose(app, index));
  tick.addEventListener('keydown', (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const annotation = current(app)[index];
    if (!annotation) return;
    if (by !== undefined) moveAnnotation(app, index, (Math.round(annotation.time * rate()) + by) / rate(), `keys ${index}`);
    else if (event.key === 'Delete' || event.key === 'Backspace') removeAnnotation(app, index);
    else if (event.key === 'Enter') document.querySelector<HTMLElement>('#annotation-text')?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function choose(app: App, index: number | null): void {
  if (chosen === index) return;
  chosen = index;
  for (const tick of document.querySelectorAll<HTMLElement>('.tick')) tick.classList.toggle('chosen', tick.dataset.annotation === String(index));
  app.session.view.refreshSubject();
}

export function addAnnotation(app: App): void {
  const { subject, frame } = app.store.state;
  if (subject?.kind !== 'motion' || !subject.clip) return;
  const time = Math.fround(subject.actor.secondsOf(Math.round(frame)));
  const list = [...subject.annotations, { text: 'NewEvent', time, track: 0 }];
  chosen = list.length - 1;
  app.session.annotate('add an annotation', list);
  app.store.tell();
  const text = document.querySelector<HTMLInputElement>('#annotation-text');
  text?.focus();
  text?.select();
}
function removeAnnotation(app: App, index: number): void {
  const list = current(app);
  chosen = null;
  app.session.annotate(`delete ${list[index]?.text}`, list.filter((_, i) => i !== index));
}

/** Text, time and track of the chosen annotation. */
function annotationEditor(app: App): HTMLElement {
  const text = h('input', { type: 'text', id: 'annotation-text', aria: { label: 'Text of the annotation' }, class: 'grow' });
  const time = h('input', { type: 'number', step: '0.0001', min: '0', aria: { label: 'Time in seconds' } });
  const track = h('input', { type: 'number', step: '1', min: '0', aria: { label: 'Track' }, class: 'narrow' });
  const hint = h('span', { class: 'quiet grow hint' }, 'Drag a tick to move an annotation; + adds one at the current frame.');
  const form = h('div', { class: 'annotation' }, text, time, h('span', { class: 'quiet' }, 's, track'), track, button('Delete', () => chosen !== null && removeAnnotation(app, chosen)));
  const change = (label: string, part: (annotation: Annotation) => Annotation) => {
    const index = chosen;
    if (index === null) return;
    app.session.annotate(label, current(app).map((each, i) => (i === index ? part(each) : each)));
  };
  text.addEventListener('change', () => change('rename an annotation', (each) => ({ ...each, text: text.value })));
  time.addEventListener('change', () => chosen !== null && moveAnnotation(app, chosen, Number(time.value), ''));
  track.addEventListener('change', () => change('move an annotation to a track', (each) => ({ ...each, track: Math.max(0, Math.round(Number(track.value))) })));
  app.store.watch(['subject'], () => {
    const annotation = chosen === null ? undefined : current(app)[chosen];
    form.hidden = !annotation;
    hint.hidden = Boolean(annotation);
    if (!annotation) return;
    if (document.activeElement !== text) text.value = annotation.text;
    if (document.activeElement !== time) time.value = String(Number(annotation.time.toFixed(5)));
    track.value = String(annotation.track);
  });
  return h('div', { class: 'row' }, hint, form);
}
