// SPDX-License-Identifier: MIT
// Bones that were turned by hand, as diamonds below the timeline: dragged to another frame, chosen, deleted.
import { App } from './app';
import { h } from './dom';

const kSlip = 3;

export function poseKeys(app: App): HTMLElement {
  const { store, session } = app;
  const { keys } = session.clipEdits;
  const row = h('div', { class: 'keys', role: 'group', hidden: true, aria: { label: 'Keys of turned bones' } });
  const last = () => Math.max(session.view.lastFrame, 1);
  const clamp = (frame: number) => Math.min(Math.max(Math.round(frame), 0), last());
  const select = (bone: string, frame: number) => {
    const { subject } = store.state;
    if (subject?.kind !== 'motion') return;
    session.view.goTo(frame);
    session.view.selectBone(subject.actor.bones.findIndex((each) => each.name === bone));
  };
  const make = (index: number) => {
    const key = keys.shown[index]!;
    const words = `${key.bone}, turned at frame ${key.frame}`;
    const mark = h('button', { type: 'button', class: 'key', title: `${words}: drag it, arrow keys, Delete`, aria: { label: words } });
    const put = (frame: number) => (mark.style.left = `${(frame / last()) * 100}%`);
    put(key.frame);
    mark.addEventListener('pointerdown', (down: PointerEvent) => {
      mark.setPointerCapture(down.pointerId);
      let frame = key.frame;
      const move = (event: PointerEvent) => {
        if (Math.abs(event.clientX - down.clientX) < kSlip && frame === key.frame) return;
        const box = row.getBoundingClientRect();
        put((frame = clamp(((event.clientX - box.left) / box.width) * last())));
      };
      mark.addEventListener('pointermove', move);
      mark.addEventListener('pointerup', () => {
        mark.removeEventListener('pointermove', move);
        select(key.bone, frame);
        void keys.move(index, frame);
      }, { once: true });
    });
    mark.addEventListener('keydown', (event: KeyboardEvent) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by !== undefined) void keys.move(index, clamp(key.frame + by)).then(() => select(key.bone, clamp(key.frame + by)));
      else if (event.key === 'Delete' || event.key === 'Backspace') void keys.remove(index);
      else if (event.key === 'Enter') select(key.bone, key.frame);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return mark;
  };
  store.watch(['subject', 'edits'], () => {
    const focused = [...row.children].indexOf(document.activeElement as Element);
    const { shown } = keys;
    row.hidden = shown.length === 0;
    row.replaceChildren(...shown.map((_, i) => make(i)));
    if (focused >= 0) (row.children[Math.min(focused, shown.length - 1)] as HTMLElement | undefined)?.focus();
  });
  return row;
}
