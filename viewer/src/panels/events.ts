// SPDX-License-Identifier: MIT
// The annotations of the clip as a list: filtered, renamed, moved in time and deleted.
import type { Annotation } from '../abi/marrow';
import { App } from './app';
import { h, iconButton } from './dom';
import { sheet } from './switches';

const kMostRows = 300;

export function eventSheet(app: App): HTMLElement {
  const { store, session } = app;
  const filter = h('input', { type: 'search', placeholder: 'Filter events', aria: { label: 'Filter events' } });
  const rows = h('div', { class: 'event-rows' });
  const list = (): readonly Annotation[] => {
    const { subject } = store.state;
    return subject?.kind === 'motion' ? subject.annotations : [];
  };
  const change = (label: string, index: number, part: Partial<Annotation> | null) =>
    session.annotate(label, part ? list().map((each, i) => (i === index ? { ...each, ...part } : each)) : list().filter((_, i) => i !== index));
  const row = (event: Annotation, index: number) => {
    const time = h('input', { type: 'number', step: '0.01', min: '0', value: String(Number(event.time.toFixed(4))), aria: { label: `Time of ${event.text}` }, on: { change: () => change(`move ${event.text}`, index, { time: Math.fround(Math.max(0, Number(time.value))) }) } });
    const text = h('input', { type: 'text', value: event.text, class: 'grow', aria: { label: `Text of the event at ${event.time.toFixed(3)} s` }, on: { change: () => change(`rename ${event.text}`, index, { text: text.value }) } });
    return h('div', { class: 'row', on: { focusin: () => goTo(event.time) } }, time, text, iconButton('close', `Delete ${event.text}`, () => change(`delete ${event.text}`, index, null)));
  };
  const goTo = (seconds: number) => {
    const { subject } = store.state;
    if (subject?.kind === 'motion') session.view.goTo(subject.actor.frameOf(seconds));
  };
  const render = () => {
    const words = filter.value.trim().toLowerCase();
    const found = list().map((event, i) => ({ event, i })).filter(({ event }) => event.text.toLowerCase().includes(words)).sort((a, b) => a.event.time - b.event.time);
    rows.replaceChildren(...found.slice(0, kMostRows).map(({ event, i }) => row(event, i)), found.length === 0 ? h('p', { class: 'note' }, words ? 'No event has this text.' : 'This clip has no events.') : '');
  };
  let shown: readonly Annotation[] | null = null;
  store.watch(['subject'], () => {
    if (list() === shown) return;
    shown = list();
    render();
  });
  filter.addEventListener('input', render);
  return sheet('Events', 'the annotations as a list', h('div', { class: 'menu sheet up events', role: 'group', aria: { label: 'Events' } }, filter, rows));
}
