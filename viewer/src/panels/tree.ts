// SPDX-License-Identifier: MIT
import type { Bone } from '../abi/marrow';
import { App } from './app';
import { h } from './dom';

/** Pixels per level of the tree, and the levels that are told apart: the end of a name tells fingers apart. */
const kStep = 5, kMostSteps = 12;

/** The bones as a tree that can be searched. One row per bone, indented; what does not match is left out. */
export function treePanel(app: App): HTMLElement {
  const search = h('input', { type: 'search', placeholder: 'Search bones', aria: { label: 'Search bones' } });
  const list = h('div', { class: 'list', role: 'listbox', tabIndex: 0, aria: { label: 'Bones' } });
  const count = h('p', { class: 'note' });
  let bones: readonly Bone[] = [];
  let shown: number[] = [];

  const depths = (): number[] => {
    const out: number[] = [];
    bones.forEach((bone, i) => (out[i] = bone.parent < 0 ? 0 : (out[bone.parent] ?? 0) + 1));
    return out;
  };
  const render = (): void => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const depth = depths();
    const order = treeOrder(bones);
    shown = order.filter((i) => words.every((word) => bones[i]!.name.toLowerCase().includes(word)));
    list.replaceChildren(
      ...shown.map((i) => {
        const row = h(
          'div',
          {
            class: 'item bone', role: 'option', id: `bone-${i}`, title: bones[i]!.name, data: { bone: String(i) }, aria: { selected: 'false' },
            on: {
              click: () => app.session.view.selectBone(i),
              dblclick: () => app.stage.frame(),
              mouseenter: () => app.session.view.hover(i),
              mouseleave: () => app.session.view.hover(null),
            },
          },
          h('span', { class: 'name' }, bones[i]!.name),
        );
        row.style.paddingLeft = `${8 + (words.length > 0 ? 0 : Math.min(depth[i]!, kMostSteps) * kStep)}px`;
        return row;
      }),
    );
    count.textContent = bones.length === 0 ? 'Nothing with bones is shown.' : words.length > 0 ? `${shown.length} of ${bones.length} bones` : `${bones.length} bones`;
    mark();
  };
  const mark = (): void => {
    const { bone } = app.store.state;
    list.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    const row = list.querySelector<HTMLElement>(`[data-bone="${bone}"]`);
    if (!row) return;
    row.setAttribute('aria-selected', 'true');
    list.setAttribute('aria-activedescendant', row.id);
    row.scrollIntoView({ block: 'nearest' });
  };
  search.addEventListener('input', render);
  list.addEventListener('keydown', (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }[event.key];
    if (by === undefined || shown.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = shown.indexOf(app.store.state.bone ?? -1);
    app.session.view.selectBone(shown[Math.min(Math.max(at + by, 0), shown.length - 1)]!);
  });
  app.store.watch(['subject'], ({ subject }) => {
    const now = subject?.kind === 'motion' ? subject.actor.bones : [];
    if (now === bones) return;
    bones = now;
    render();
  });
  app.store.watch(['bone'], mark);
  return h('section', { class: 'panel', aria: { label: 'Bones' } }, search, list, count);
}

/** Bones in the order of the tree: each below its parent. */
function treeOrder(bones: readonly Bone[]): number[] {
  const children: number[][] = bones.map(() => []);
  const roots: number[] = [];
  bones.forEach((bone, i) => (bone.parent < 0 ? roots : children[bone.parent]!).push(i));
  const order: number[] = [];
  const open = roots.reverse();
  while (open.length > 0) {
    const at = open.pop()!;
    order.push(at);
    open.push(...children[at]!.reverse());
  }
  return order;
}
