// SPDX-License-Identifier: MIT
// What is done by hand in the picture: bones are turned by rings, their keys dragged, joints bent within their limits; and
// what the timeline says of it.
//
//     node hands_test.mjs MARROW PAGE [NAME]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, native, runAll, scratch, startBrowser, test, useViewer } from './browser.mjs';
import { sampleClips, sampleCollision } from './samples.mjs';

const browser = await startBrowser();
const withViewer = (body, options) => useViewer(browser, body, options);

const openSample = async (viewer) => {
  const { walk, skeleton } = sampleClips(viewer);
  const paths = [await walk, await skeleton];
  await viewer.openFiles(paths);
  await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, frame: 6 }));
  return paths;
};
const selectBone = (viewer, pattern) => viewer.page.evaluate((words) => {
  const { session, store } = window.marrow;
  const { bones } = store.state.subject.actor;
  const bone = bones.findIndex((each) => new RegExp(words).test(each.name));
  session.view.selectBone(bone);
  return { bone, name: bones[bone].name };
}, pattern);
/** Where the canvas is on the page, and a point of it. */
const canvasPoint = async (viewer, { x, y }) => {
  const box = await viewer.page.locator('.stage canvas').boundingBox();
  return [box.x + x, box.y + y];
};
const editCount = (viewer, count) => viewer.until((wanted) => window.marrow.store.state.edits.length === (wanted > 0 ? 1 : 0) && (window.marrow.store.state.edits[0]?.labels.length ?? 0) === wanted, count);

test('rings turn the selected bone; the turn is a key that is dragged, deleted and taken back', () =>
  withViewer(async (viewer) => {
    const [walk, skeleton] = await openSample(viewer);
    const { bone, name } = await selectBone(viewer, 'R UpperArm');
    await viewer.page.keyboard.press('p');
    const at = await viewer.page.evaluate((which) => {
      window.marrow.stage.draw();
      return window.marrow.stage.project(which);
    }, bone);
    const [x, y] = await canvasPoint(viewer, at);
    // A ring is somewhere between the bone and the border.
    let taken = null;
    for (let far = 8; far < 160 && !taken; far += 3) {
      await viewer.page.mouse.move(x + far, y - far / 3);
      if (await viewer.state(() => window.marrow.stage.gizmo.isTouched)) taken = [x + far, y - far / 3];
    }
    check(taken, 'no ring is found');
    await viewer.page.mouse.down();
    for (let i = 1; i <= 6; ++i) await viewer.page.mouse.move(taken[0] - 4 * i, taken[1] + 8 * i);
    const pose = (which) => viewer.page.evaluate(([each, frame]) => {
      const { actor } = window.marrow.store.state.subject;
      actor.pose(frame);
      return [...actor.model.subarray(each * 10, each * 10 + 10)];
    }, [which, 6]);
    const tried = await pose(bone);
    check(await viewer.state(() => window.marrow.store.state.subject.actor.trial !== null && window.marrow.store.state.edits.length === 0), 'nothing is seen while it is dragged');
    const eye = () => viewer.state(() => window.marrow.stage.eye.camera.position.toArray().map((value) => value.toFixed(3)).join());
    const from = await eye();
    await viewer.page.mouse.up();
    await editCount(viewer, 1);
    await viewer.until(() => window.marrow.store.state.subject.actor.trial === null);
    const made = await pose(bone);
    await viewer.drawn();
    check((await eye()) === from, 'the edit moves the camera');
    check(made.every((value, k) => Math.abs(value - tried[k]) < 0.02), `the edit is not what was seen: ${tried} and ${made}`);
    const key = await viewer.state(() => window.marrow.session.clipEdits.keys.shown[0]);
    check(key.frame === 6 && key.bone === name && Math.hypot(...key.turn) > 3, JSON.stringify(key));
    // The bytes are those of the program: the pose of the frame, turned, and put back.
    const run = (words, out) => (native([...words, '-o', join(scratch, out), '-q']), join(scratch, out));
    const expected = (frame) => {
      const turned = run(['clip', 'offset', run(['clip', 'pose', walk, '--frame', String(frame)], 'pose.hkx'), '--bone', name, '--turn', key.turn.join(','), '--space', 'parent', '--skeleton', skeleton], 'offset.hkx');
      return readFileSync(run(['clip', 'set-pose', walk, turned, '--from-frame', String(frame), '--to-frame', String(frame), '--fade', '0.2', '--bones', name, '--skeleton', skeleton], 'set.hkx'));
    };
    check((await viewer.download('This file')).bytes.equals(expected(6)), 'the file is not that of the program');
    // Its key goes to another frame.
    const mark = viewer.page.locator('.key');
    const box = await mark.boundingBox(), row = await viewer.page.locator('.keys').boundingBox();
    await viewer.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await viewer.page.mouse.down();
    await viewer.page.mouse.move(row.x + row.width * 0.5, box.y + 5, { steps: 5 });
    await viewer.page.mouse.up();
    await editCount(viewer, 2);
    await viewer.until(() => window.marrow.session.clipEdits.keys.shown[0]?.frame === 15);
    check((await viewer.download('This file')).bytes.equals(expected(15)), 'the moved key is not that of the program');
    await viewer.page.evaluate(() => window.marrow.session.history.undo());
    await viewer.until(() => window.marrow.session.clipEdits.keys.shown[0]?.frame === 6);
    await mark.focus();
    await viewer.page.keyboard.press('Delete');
    await viewer.until(() => document.querySelectorAll('.key').length === 0);
    check((await viewer.download('This file')).bytes.equals(readFileSync(walk)), 'without its key the file is not as it came');
  }));

test('events that are edited between two keys stay', () =>
  withViewer(async (viewer) => {
    await openSample(viewer);
    const { name } = await selectBone(viewer, 'R UpperArm');
    const turn = (frame) => viewer.page.evaluate(([bone, at]) => window.marrow.session.clipEdits.turnBone(bone, at, [0, 0, 20], 0.1), [name, frame]);
    await turn(5);
    await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      session.annotate('rename', store.state.subject.annotations.map((each) => ({ ...each, text: `New${each.text}` })));
    });
    await turn(20);
    await viewer.page.evaluate(() => window.marrow.session.clipEdits.keys.move(0, 8));
    await viewer.until(() => window.marrow.session.clipEdits.keys.shown.map((each) => each.frame).join() === '8,20');
    await viewer.until(() => window.marrow.store.state.subject.annotations.every((each) => each.text.startsWith('New')));
    const { bytes } = await viewer.download('This file');
    writeFileSync(join(scratch, 'renamed.hkx'), bytes);
    const listed = native(['annotations', 'list', join(scratch, 'renamed.hkx'), '--json']);
    check((listed.match(/NewFoot/g) ?? []).length === 2, listed);
  }));

for (const isTouched of [false, true])
  test(`ticks ${isTouched ? 'for fingers ' : ''}carry their text, and no text covers another`, () =>
    withViewer(async (viewer) => {
      await openSample(viewer);
      await viewer.page.evaluate(() => {
        const { session } = window.marrow;
        session.annotate('many', Array.from({ length: 14 }, (_, i) => ({ text: `SoundPlay.NPCHumanCombatIdle${i}`, time: Math.fround(i * 0.07), track: 0 })));
      });
      await viewer.until(() => document.querySelectorAll('.tick').length === 14);
      const { boxes, ticks, own, lane } = await viewer.state(() => ({
        boxes: [...document.querySelectorAll('.tick .words')].map((each) => each.getBoundingClientRect().toJSON()),
        ticks: [...document.querySelectorAll('.tick')].map((each) => each.getBoundingClientRect().toJSON()),
        own: [...document.querySelectorAll('.tick .words')].map((each) => each.parentElement.getBoundingClientRect().toJSON()),
        lane: document.querySelector('.timeline').getBoundingClientRect().toJSON(),
      }));
      check(boxes.length >= 8, `only ${boxes.length} have words`);
      const covers = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
      boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => check(!covers(a, b), `two texts at ${a.x}, ${a.y}`)));
      ticks.forEach((a, i) => ticks.slice(i + 1).forEach((b) => check(!covers(a, b), `two ticks at ${a.x}, ${a.y}`)));
      boxes.forEach((a, i) => check(a.left >= own[i].right - 1 || a.right <= own[i].left + 1, `a tick covers its own text at ${a.x}`));
      check(boxes.every((each) => each.left >= lane.left && each.right <= lane.right), 'a text leaves the timeline');
    }, { isTouched }));

test('joints are bent by hand, within their limits, and what hangs on them goes along', () =>
  withViewer(async (viewer) => {
    const { blob } = sampleCollision();
    const joined = join(scratch, 'joined.hkx');
    // The ramp hangs on the tower, the tower on the box.
    native(['collision', 'add-joint', blob, '--body', '1', '--to', '0', '--kind', 'ragdoll', '--pivot', '60,15,0', '--axis', '0,0,1', '--normal', '1,0,0', '--twist', '-20,20', '--cone', '30', '--plane', '-25,25', '-o', join(scratch, 'one.hkx'), '-q']);
    native(['collision', 'add-joint', join(scratch, 'one.hkx'), '--body', '2', '--to', '1', '--kind', 'limited-hinge', '--pivot', '-20,20,0', '--axis', '0,1,0', '--angle', '-45,45', '-o', joined, '-q']);
    await viewer.openFiles([joined]);
    await viewer.page.evaluate(() => window.marrow.session.view.selectBody(1));
    const sliders = viewer.page.locator('#panel-collision input[data-bend]');
    await sliders.first().waitFor();
    check((await sliders.count()) === 3, `${await sliders.count()} sliders`);
    const moved = (body) => viewer.page.evaluate((which) => {
      window.marrow.stage.draw();
      return window.marrow.stage.joints.moved(which, window.marrow.store.state.bends).toArray();
    }, body);
    const still = (await moved(1)).every((value, k) => Math.abs(value - (k % 5 === 0 ? 1 : 0)) < 1e-6);
    check(still, 'a joint at rest moves its body');
    await sliders.nth(1).focus();
    await viewer.page.keyboard.press('End');
    await viewer.until(() => window.marrow.store.state.bends.size === 1);
    const [tower, ramp, base] = [await moved(1), await moved(2), await moved(0)];
    const angle = (matrix) => (Math.acos(Math.min(1, (matrix[0] + matrix[5] + matrix[10] - 1) / 2)) * 180) / Math.PI;
    check(Math.abs(angle(tower) - 30) < 0.1, `the tower is turned by ${angle(tower)} degrees, not by its cone`);
    check(tower.every((value, k) => Math.abs(value - ramp[k]) < 1e-5), 'the ramp does not go along');
    check(Math.abs(angle(base)) < 1e-3, 'the box moves');
    // By hand, far beyond the limits.
    await viewer.page.getByRole('button', { name: 'All joints back to rest' }).click();
    await viewer.until(() => window.marrow.store.state.bends.size === 0);
    const spot = await viewer.state(() => {
      const { stage } = window.marrow, { clientWidth, clientHeight } = stage.canvas;
      stage.draw();
      for (let y = 0.1; y < 0.9; y += 0.02) for (let x = 0.1; x < 0.9; x += 0.02) if (stage.bodyAt(x * clientWidth, y * clientHeight) === 1) return { x: x * clientWidth, y: y * clientHeight };
      return null;
    });
    const [x, y] = await canvasPoint(viewer, spot);
    await viewer.page.mouse.move(x, y);
    await viewer.page.keyboard.down('Shift');
    await viewer.page.mouse.down();
    for (let i = 1; i <= 10; ++i) await viewer.page.mouse.move(x + 40 * i, y);
    await viewer.page.mouse.up();
    await viewer.page.keyboard.up('Shift');
    const bend = await viewer.state(() => window.marrow.store.state.bends.get(1).map((value) => (value * 180) / Math.PI));
    check(Math.hypot(bend[1], bend[2]) > 5 && Math.hypot(bend[1], bend[2]) < 30.01 && Math.abs(bend[0]) < 20.01 && Math.abs(bend[2]) < 25.01, `bent by ${bend}`);
    check(await viewer.state(() => window.marrow.store.state.edits.length === 0), 'bending edits the file');
  }));

test('a film is a GIF, too: its frames, its size, its clear background', () =>
  withViewer(async (viewer) => {
    await viewer.page.evaluate(() => window.marrow.session.view.setRecording(true));
    const dialog = viewer.page.getByRole('dialog', { name: 'Film' });
    await dialog.getByLabel('Kind').selectOption('gif');
    await dialog.getByLabel('Seconds').fill('0.4');
    await dialog.getByLabel('Frames per s').selectOption('15');
    await dialog.getByLabel('Size').selectOption('480x480');
    await dialog.getByText('Transparent background').click();
    const [file] = await Promise.all([viewer.page.waitForEvent('download'), dialog.getByRole('button', { name: 'Make it' }).click()]);
    const bytes = readFileSync(await file.path());
    check(file.suggestedFilename().endsWith('.gif') && bytes.toString('latin1', 0, 6) === 'GIF89a', file.suggestedFilename());
    // A browser reads all of it.
    const seen = await viewer.page.evaluate(async (data) => {
      const decoder = new ImageDecoder({ type: 'image/gif', data: Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)) });
      await decoder.tracks.ready;
      await decoder.completed;
      const frames = [];
      for (let i = 0; i < decoder.tracks.selectedTrack.frameCount; ++i) {
        const { image } = await decoder.decode({ frameIndex: i });
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight), context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height);
        let drawn = 0, sum = 0;
        for (let at = 0; at < pixels.length; at += 4) if (pixels[at + 3] > 0) (++drawn, (sum += pixels[at] * (at % 1009)));
        frames.push({ width: canvas.width, height: canvas.height, corner: pixels[(2 * canvas.width + 2) * 4 + 3], drawn, sum, ms: image.duration / 1000 });
      }
      return frames;
    }, bytes.toString('base64'));
    check(seen.length === 6 && seen.every(({ width, height, corner, drawn }) => width === 480 && height === 480 && corner === 0 && drawn > 2000), JSON.stringify(seen));
    check(new Set(seen.map(({ sum }) => sum)).size > 3, 'nothing moves in it');
    check(Math.abs(seen.reduce((sum, { ms }) => sum + ms, 0) - 400) <= 10, `it lasts ${seen.map(({ ms }) => ms).join()} ms`);
  }));

await runAll(browser);
