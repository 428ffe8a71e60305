// SPDX-License-Identifier: MIT
import { App } from './app';

/** Hovering names a bone, a click selects, Shift and a drag shakes the character, or bends the joint of a body. */
export function listenToPointer(app: App, canvas: HTMLCanvasElement): void {
  const { store, stage, session: { view } } = app;
  const place = (event: PointerEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  let down: { x: number; y: number; shakes: boolean; bend: ((dx: number, dy: number) => void) | null } | null = null;
  canvas.addEventListener('pointerdown', (event) => {
    const shakes = event.shiftKey && store.state.rig !== null;
    const bend = event.shiftKey && store.state.subject?.kind === 'collision' ? stage.takeBody(...place(event)) : null;
    down = { x: event.clientX, y: event.clientY, shakes, bend };
    stage.orbiting = !shakes && !bend;
    if (shakes || bend) canvas.setPointerCapture(event.pointerId);
  }, { capture: true });
  canvas.addEventListener('pointermove', (event) => {
    if (down?.bend) down.bend(event.movementX, event.movementY);
    else if (down?.shakes) {
      const { rig } = store.state;
      const moved = stage.metresAcross(event.movementX, event.movementY);
      if (rig) [rig.drag[0], rig.drag[1], rig.drag[2]] = [rig.drag[0] + moved.x, rig.drag[1] + moved.y, rig.drag[2] + moved.z];
      stage.invalidate();
    } else if (!down) view.hover(stage.boneAt(...place(event)));
  });
  canvas.addEventListener('pointerleave', () => view.hover(null));
  addEventListener('pointerup', (event) => {
    const wasClick = down && !down.shakes && event.target === canvas && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 4;
    down = null;
    stage.orbiting = true;
    if (!wasClick || event.button !== 0 || stage.gizmo.isTouched) return;
    if (store.state.subject?.kind === 'collision') view.selectBody(stage.bodyAt(...place(event)));
    else {
      const bone = stage.boneAt(...place(event));
      if (store.state.isMeasuring && bone !== null) view.measure(bone);
      else view.pickBone(bone);
    }
  });
}
