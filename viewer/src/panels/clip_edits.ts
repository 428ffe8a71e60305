// SPDX-License-Identifier: MIT
// Buttons that edit the clip, and the handles at the ends of the timeline.
import { App } from './app';
import { button, h, labelled } from './dom';
import { sheet } from './switches';

/** A sheet with the edits of a clip. */
export function editSheet(app: App): HTMLElement {
  const { clipEdits } = app.session;
  const factor = h('input', { type: 'number', min: '0.05', max: '20', step: '0.05', value: '2', class: 'value' });
  const setSpeed = button('Set', () => void clipEdits.speed(Number(factor.value)), { class: 'chip', aria: { label: 'Set the speed' } });
  const content = h(
    'div',
    { class: 'menu sheet up', role: 'group', aria: { label: 'Edit the clip' } },
    h('p', { class: 'note' }, 'Drag the ends of the timeline to cut it. Each edit can be undone.'),
    button('Make it loop', () => void clipEdits.loop(), { title: 'first and last pose meet, and their velocities' }),
    button('Reverse', () => void clipEdits.reverse(), { title: 'play it backwards, for good' }),
    labelled('Speed ×', factor, '2 is twice as fast; no pose changes', setSpeed),
    poseForm(app),
  );
  return sheet('Edit', 'edit the clip: trim, loop, reverse, speed, pose', content);
}

/** Turning the selected bone at the current frame, with a fade: by rings in the picture, or by numbers. */
function poseForm(app: App): HTMLElement {
  const { store, session } = app;
  const inputs = ['X', 'Y', 'Z'].map((axis) => h('input', { type: 'number', step: '1', value: '0', class: 'angle', aria: { label: `Turn about ${axis} in degrees` } }));
  const fade = h('input', { type: 'number', step: '0.05', min: '0', class: 'value', on: { change: () => session.view.setFade(Number(fade.value)) } });
  store.watch(['fade'], (state) => (fade.value = String(state.fade)));
  const title = h('p', { class: 'note' });
  const turn = () => inputs.map((input) => Number(input.value)) as [number, number, number];
  const apply = button('Turn it here', () => {
    const { bone, subject, frame, fade: seconds } = store.state;
    if (bone === null || subject?.kind !== 'motion') return;
    void session.clipEdits.turnBone(subject.actor.bones[bone]!.name, Math.round(frame), turn(), seconds);
    inputs.forEach((input) => (input.value = '0'));
  }, { class: 'strong' });
  const rings = button('Turn it with rings (P)', () => session.view.togglePosing(), { title: 'drag the rings around the selected bone; each turn is a key below the timeline' });
  store.watch(['isPosing'], ({ isPosing }) => rings.setAttribute('aria-pressed', String(isPosing)));
  store.watch(['bone', 'subject', 'frame'], ({ bone, subject, frame }) => {
    const name = bone !== null && subject?.kind === 'motion' ? subject.actor.bones[bone]?.name : undefined;
    title.textContent = name ? `Turn ${name} at frame ${Math.round(frame)}, in degrees:` : 'Select a bone to turn it at this frame.';
    apply.disabled = !name;
  });
  return h('div', {}, title, h('div', { class: 'row' }, ...inputs), labelled('Fade, s', fade, 'time on either side to get into the pose and out of it'), h('div', { class: 'row wrap' }, apply, rings));
}

/** Two handles at the ends of the track: what is outside of them is cut off. */
export function trimHandles(app: App, track: HTMLElement): HTMLElement {
  const { store, session } = app;
  const last = () => session.view.lastFrame;
  const make = (end: 'from' | 'to', label: string) => {
    const handle = h('button', { type: 'button', class: `trim ${end}`, title: `${label}: drag, or arrow keys`, aria: { label } });
    const put = (frame: number) => {
      const now = store.state.range ?? { from: 0, to: last() };
      const at = Math.round(Math.min(Math.max(frame, end === 'from' ? 0 : now.from + 1), end === 'from' ? now.to - 1 : last()));
      const next = { ...now, [end]: at };
      session.clipEdits.setRange(next.from === 0 && next.to === last() ? null : next);
      session.view.goTo(at);
    };
    handle.addEventListener('pointerdown', (down: PointerEvent) => {
      handle.setPointerCapture(down.pointerId);
      down.preventDefault();
      handle.focus();
      const move = (event: PointerEvent) => {
        const box = track.getBoundingClientRect();
        put(((event.clientX - box.left) / box.width) * last());
      };
      handle.addEventListener('pointermove', move);
      handle.addEventListener('pointerup', () => handle.removeEventListener('pointermove', move), { once: true });
    });
    handle.addEventListener('keydown', (event: KeyboardEvent) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      put((store.state.range?.[end] ?? (end === 'from' ? 0 : last())) + by);
    });
    return handle;
  };
  const from = make('from', 'Start of what is kept'), to = make('to', 'End of what is kept');
  const shades = [h('span', { class: 'shade' }), h('span', { class: 'shade' })];
  store.watch(['range', 'subject'], ({ range }) => {
    const end = Math.max(last(), 1);
    const left = ((range?.from ?? 0) / end) * 100, right = ((range?.to ?? end) / end) * 100;
    from.style.left = `${left}%`;
    to.style.left = `${right}%`;
    shades[0]!.style.cssText = `left:0;width:${left}%`;
    shades[1]!.style.cssText = `left:${right}%;right:0`;
  });
  return h('div', { class: 'trims' }, ...shades, from, to);
}

/** The buttons that cut, while there is something to cut off. */
export function trimBar(app: App): HTMLElement {
  const bar = h('span', { class: 'row', hidden: true });
  app.store.watch(['range'], ({ range }) => {
    bar.hidden = !range;
    if (!range) return;
    bar.replaceChildren(
      button(`Trim to ${range.from} – ${range.to}`, () => void app.session.clipEdits.trim(range.from, range.to), { class: 'strong chip' }),
      button('Cancel', () => app.session.clipEdits.setRange(null), { class: 'chip' }),
    );
  });
  return bar;
}
