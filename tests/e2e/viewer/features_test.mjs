// SPDX-License-Identifier: MIT
// Single features of the viewer, on files that the project makes itself.
//
//     node features_test.mjs MARROW PAGE [NAME]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, examples, native, page, runAll, scratch, startBrowser, test, useViewer } from './browser.mjs';
import zipped from './zip.mjs';

const browser = await startBrowser();
const withViewer = (body, options) => useViewer(browser, body, options);
const anvil = (name) => join(examples, 'anvil', name);

// The sample inside the page, as files.
for (const { path, data } of JSON.parse(/<script id="marrow-sample"[^>]*>([^<]*)</.exec(readFileSync(page, 'utf8'))[1]))
  writeFileSync(join(scratch, path.split('/').at(-1)), Buffer.from(data, 'base64'));
const walk = join(scratch, 'walk.hkx'), skeleton = join(scratch, 'skeleton.hkx');

test('a paired clip shows two actors, each where its own clip puts it', () =>
  withViewer(async (viewer) => {
    const pair = join(scratch, 'pair.hkx');
    native(['pair', 'join', walk, walk, '--skeleton', skeleton, '--place', '0,100,0,180', '-o', pair, '-q']);
    await viewer.openFiles([pair, skeleton]);
    const shown = await viewer.state(() => {
      const { subject } = window.marrow.store.state;
      if (subject.kind !== 'motion') return { why: subject.why };
      window.marrow.store.set({ playing: false, frame: 0 });
      window.marrow.session.clock.pose();
      const { actor } = subject;
      const place = (name) => {
        const bone = actor.bones.findIndex((each) => each.name === name);
        return bone < 0 ? null : [...actor.model.subarray(bone * 10, bone * 10 + 3)];
      };
      const name = actor.bones.find((each) => actor.bones.some((other) => other.name === `2_${each.name}`))?.name;
      return { isPaired: actor.isPaired, bones: actor.bones.length, name, one: name && place(name), two: name && place(`2_${name}`) };
    });
    check(shown.isPaired && shown.bones >= 28, JSON.stringify(shown));
    check(Math.hypot(...shown.one.map((value, k) => value - shown.two[k])) > 50, `both stand at ${shown.one}`);
  }));

test('a .gltf is read with the .bin that was dropped with it', () =>
  withViewer(async (viewer) => {
    const gltf = join(scratch, 'walk.gltf'), bin = join(scratch, 'walk motion.bin');
    native(['convert', walk, '--skeleton', skeleton, '-o', gltf, '-q']);
    const scene = JSON.parse(readFileSync(gltf, 'utf8'));
    const [, data] = scene.buffers[0].uri.split(',');
    writeFileSync(bin, Buffer.from(data, 'base64'));
    scene.buffers[0].uri = 'walk%20motion.bin';
    writeFileSync(gltf, JSON.stringify(scene));
    await viewer.openFiles([gltf]);
    check((await viewer.page.getByRole('alert').innerText()).includes('walk motion.bin'), 'it does not say which file is missing');
    await viewer.openFiles([gltf, bin]);
    const frames = await viewer.state(() => window.marrow.store.state.subject.clip?.frameCount);
    check(frames === 31, `${frames} frames`);
    const { bytes } = await viewer.download('This file');
    check(bytes.equals(readFileSync(gltf)), 'a file without edits is not the same');
  }));

for (const [what, make] of [
  ['a folder', (files) => {
    for (const [path, bytes] of files) {
      mkdirSync(join(scratch, 'dropped', path, '..'), { recursive: true });
      writeFileSync(join(scratch, 'dropped', path), bytes);
    }
    return join(scratch, 'dropped/mod');
  }],
  ['a zip', (files) => {
    writeFileSync(join(scratch, 'mod.zip'), zipped(files));
    return join(scratch, 'mod.zip');
  }],
])
  test(`${what} that is dropped gives a list of all that is in it, and its clip plays`, () =>
    withViewer(async (viewer) => {
      const bytes = [walk, skeleton].map((path) => readFileSync(path));
      await viewer.drop([make([['mod/animations/walk.hkx', bytes[0]], ['mod/character assets/skeleton.hkx', bytes[1]], ['mod/readme.txt', Buffer.from('hello')]])]);
      await viewer.until(() => !window.marrow.store.state.loading && !window.marrow.store.state.sample);
      const { paths, shown, kind } = await viewer.state(() => {
        const { files, active, subject } = window.marrow.store.state;
        return { paths: files.map((file) => file.path), shown: files.find((file) => file.id === active).path, kind: subject.kind };
      });
      check(paths.join() === 'mod/animations/walk.hkx,mod/character assets/skeleton.hkx,mod/readme.txt', paths.join());
      check(shown === 'mod/animations/walk.hkx' && kind === 'motion', `${shown} is shown as ${kind}`);
    }));

test('limits follow the bone that they are tied to', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([anvil('every_modifier.xml')]);
    const turned = await viewer.state(() => {
      const { stage, store } = window.marrow;
      store.set({ world: { ...store.state.world, running: false } });
      const { rig, subject } = store.state;
      const turns = () => {
        stage.limits.show(rig, null, stage.palette, () => stage.limits.group.position.clone());
        return stage.limits.group.children.map((holder) => holder.quaternion.toArray().join());
      };
      const before = turns();
      const neck = subject.actor.bones.findIndex((bone) => bone.name === 'Neck') * 10;
      subject.actor.model.set([0, 0, Math.SQRT1_2, Math.SQRT1_2], neck + 3);
      const after = turns();
      const followers = rig.modifiers.filter((each) => each.type === 'RotationConstraintModifier').length;
      return { followers, changed: after.filter((each, i) => each !== before[i]).length };
    });
    check(turned.followers === 1 && turned.changed >= 1, JSON.stringify(turned));
  }));

test('limits are drawn for every modifier that has them', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([anvil('every_modifier.xml')]);
    const drawn = await viewer.state(() => {
      const { stage, store } = window.marrow;
      store.set({ world: { ...store.state.world, running: false } });
      stage.draw();
      return stage.limits.group.children.map((holder) => holder.children.length);
    });
    // A ball joint (a surface and a rim), a hinge, a box, a rotation constraint, a look-at.
    check(drawn.length === 5 && drawn.every((parts) => parts > 0), JSON.stringify(drawn));
  }));

test('the range of a hinge is tuned with a slider and is in the downloaded XML', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([anvil('every_modifier.xml')]);
    await viewer.page.evaluate(() => {
      const { store } = window.marrow;
      store.set({ modifier: store.state.rig.modifiers.findIndex((each) => each.type === 'HingeBoneModifier'), world: { ...store.state.world, running: false } });
    });
    const box = viewer.page.locator('input[type=number][data-field="Constraints[0].MaxAngle.0"]');
    await box.fill('0.5');
    await box.press('Enter');
    await viewer.until(() => window.marrow.store.state.edited.size === 1);
    const { bytes } = await viewer.download('This file');
    const out = join(scratch, 'tuned.xml');
    writeFileSync(out, bytes);
    const { differences } = JSON.parse(native(['diff', anvil('every_modifier.xml'), out, '--json'], [0, 3]));
    check(differences.length === 1 && JSON.stringify(differences).includes('MaxAngle'), JSON.stringify(differences));
  }));

test('a sidecar keeps the links of the modifiers', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([anvil('every_modifier.xml')]);
    const { bytes } = await viewer.download('Modifiers (sidecar)');
    const { modifiers } = JSON.parse(bytes.toString());
    const follow = modifiers.find((each) => /RotationConstraint/.test(each.type));
    check(follow?.ConstraintAssociatedBone === 'Neck' && follow.Constraints.length > 0, JSON.stringify(follow));
    const sidecar = join(scratch, 'every.json');
    writeFileSync(sidecar, bytes);
    native(['simulate', anvil('every_modifier.xml'), '--modifiers', sidecar, '--seconds', '0.1', '-o', join(scratch, 'every.csv'), '-q']);
  }));

test('the budget of a stack is that of the game that is chosen', () =>
  withViewer(async (viewer) => {
    const files = ['generic_male.xml', 'addon_sword.xml'].map(anvil);
    await viewer.openFiles(files);
    const note = viewer.page.locator('.budget + .note');
    for (const [game, words] of [['', 'that every game takes'], ['ac3', 'in ac3'], ['valhalla', 'in valhalla']]) {
      if (game) await viewer.page.getByLabel('Game', { exact: true }).selectOption(game);
      const [plan] = JSON.parse(native(['rig', 'plan', ...files, '--game', game || 'ac1', '--json'], [0, 3]));
      const expected = `${plan.bones} of ${plan.limit} bones ${words}`;
      await viewer.until((text) => document.querySelector('.budget + .note')?.textContent === text, expected);
    }
    check(await note.isVisible(), 'the budget is not shown');
  }));

test('several annotations on one frame stand above each other and are all saved', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([walk, skeleton]);
    await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, frame: 10 }));
    for (const text of ['First', 'Second']) {
      await viewer.page.getByRole('button', { name: 'Add an annotation here' }).click();
      await viewer.page.keyboard.type(text);
      await viewer.page.keyboard.press('Enter');
    }
    await viewer.until(() => window.marrow.store.state.subject.annotations.some((each) => each.text === 'Second'));
    const tops = await viewer.state(() => ['First', 'Second'].map((text) => document.querySelector(`.tick[data-text=${text}]`).getBoundingClientRect().top));
    check(tops[0] !== tops[1], 'one covers the other');
    const { bytes } = await viewer.download('This file');
    const out = join(scratch, 'two.hkx');
    writeFileSync(out, bytes);
    const listed = native(['annotations', 'list', out, '--json']);
    check(listed.includes('First') && listed.includes('Second'), listed);
  }));

test('`?` lists the keys, and the keys do what it says', () =>
  withViewer(async (viewer) => {
    await viewer.page.keyboard.press('?');
    check(await viewer.page.getByRole('dialog').isVisible(), 'there is no list');
    check((await viewer.page.getByRole('dialog').locator('tr').count()) > 20, 'the list is short');
    await viewer.page.keyboard.press('Escape');
    const state = (key) => viewer.page.evaluate((name) => window.marrow.store.state[name], key);
    for (const [key, part] of [['l', 'looping'], ['r', 'rootMotion'], ['t', 'trail'], ['n', 'names'], ['v', 'axes'], ['c', 'curves'], ['d', 'theme'], [' ', 'playing'], ['+', 'speed'], ['5', 'right'], ['/', 'left']]) {
      const before = await state(part);
      await viewer.page.keyboard.press(key);
      check((await state(part)) !== before, `${key} does not change ${part}`);
    }
  }));

test('a slider that was used leaves the other keys to the page', () =>
  withViewer(async (viewer) => {
    await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, frame: 0 }));
    const scrub = viewer.page.getByLabel('Frame', { exact: true });
    const box = await scrub.boundingBox();
    await viewer.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    check(await scrub.evaluate((element) => element === document.activeElement), 'the slider has no focus');
    const state = (key) => viewer.page.evaluate((name) => window.marrow.store.state[name], key);
    const frame = await state('frame');
    check(frame > 5, `it stands at frame ${frame}`);
    await viewer.page.keyboard.press('c');
    check(await state('curves'), 'C does not open the curves');
    await viewer.page.keyboard.press('ArrowRight');
    check(Math.abs((await state('frame')) - frame) < 1, 'an arrow moves the slider and steps, too');
    await viewer.page.keyboard.press(' ');
    check(await state('playing'), 'space does not play');
    // A list is searched with letters, and opened with the space.
    await viewer.page.getByLabel('Speed', { exact: true }).focus();
    await viewer.page.keyboard.press('d');
    check((await state('theme')) === 'light', 'a letter in a list changes the theme');
  }));

test('curves are zoomed and panned with keys and fingers, too', () =>
  withViewer(async (viewer) => {
    await viewer.page.evaluate(() => {
      const { store } = window.marrow;
      store.set({ playing: false, frame: 10, curves: true, bone: store.state.subject.actor.bones.findIndex((bone) => bone.name.includes('L Thigh')) });
    });
    const plot = viewer.page.locator('.plots canvas').nth(1);
    await plot.waitFor();
    const frameAt = async (share) => {
      const box = await plot.boundingBox();
      await viewer.page.mouse.move(box.x + 46 + share * (box.width - 52), box.y + 20);
      return Number(/frame (\d+)/.exec(await viewer.page.locator('.curves .now').textContent())[1]);
    };
    const seen = async () => [await frameAt(0), await frameAt(1)];
    check((await seen()).join() === '0,30', `${await seen()} at first`);
    await plot.focus();
    for (let i = 0; i < 5; ++i) await viewer.page.keyboard.press('+');
    const near = await seen();
    check(near[0] > 2 && near[1] < 20 && (await viewer.state(() => window.marrow.store.state.speed)) === 1, `${near} after +`);
    await viewer.page.keyboard.press('PageDown');
    const later = await seen();
    check(later[0] > near[0] && later[1] - later[0] <= near[1] - near[0] + 1, `${later} after ${near}`);
    // Two fingers move together: more frames between them.
    const session = await viewer.context.newCDPSession(viewer.page);
    const { x, y, width } = await plot.boundingBox();
    const touch = (type, ...shares) => session.send('Input.dispatchTouchEvent', { type, touchPoints: shares.map((share, id) => ({ x: x + share * width, y: y + 50, id })) });
    await touch('touchStart', 0.35, 0.95);
    for (let i = 1; i <= 5; ++i) await touch('touchMove', 0.35 + 0.04 * i, 0.95 - 0.04 * i);
    await touch('touchEnd');
    const far = await seen();
    check(far[1] - far[0] > later[1] - later[0], `${far} after ${later}`);
  }, { isTouched: true }));

test('the tree shows the ends of names, which tell fingers apart', () =>
  withViewer(async (viewer) => {
    await viewer.page.getByRole('tab', { name: 'Bones' }).click();
    const cut = await viewer.state(() => [...document.querySelectorAll('#panel-bones .name')].filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent));
    check(cut.length === 0, `${cut.join()} are cut`);
  }));

test('a film of physics lasts as long as what it shows, and a film that would be cut is not made', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([anvil('addon_hair_strand.xml')]);
    await viewer.page.evaluate(() => {
      window.marrow.session.view.setWorld({ running: false });
      window.marrow.session.clock.reset();
      window.marrow.session.view.setRecording(true);
    });
    const dialog = viewer.page.getByRole('dialog', { name: 'Film' });
    await dialog.getByLabel('Size').selectOption('480x480');
    await dialog.getByLabel('Seconds').fill('30');
    await dialog.getByRole('button', { name: 'Make it' }).click();
    check(await dialog.isVisible(), '900 frames are made');
    await dialog.getByLabel('Seconds').fill('0.5');
    await dialog.getByLabel('Frames per s').selectOption('15');
    await Promise.all([viewer.page.waitForEvent('download'), dialog.getByRole('button', { name: 'Make it' }).click()]);
    // The last of eight frames is seen after seven fifteenths of a second.
    const { step, fps } = await viewer.state(() => window.marrow.store.state.world);
    check(step === Math.round((7 * fps) / 15), `${step} steps of ${fps} per second`);
  }));

test('Run offers several files and presets to operations that take them', () =>
  withViewer(async (viewer) => {
    const files = ['generic_male.xml', 'addon_hair_strand.xml', 'addon_sword.xml'].map(anvil);
    await viewer.openFiles(files);
    await viewer.page.evaluate(() => window.marrow.session.view.setWorld({ running: false }));
    await viewer.page.getByRole('tab', { name: 'Run' }).click();
    const panel = viewer.page.locator('#panel-run');
    const run = async (operation, choose) => {
      await panel.getByLabel('Operation').selectOption(operation);
      await choose();
      await panel.getByRole('button', { name: 'Run', exact: true }).click();
      const [file] = await Promise.all([viewer.page.waitForEvent('download'), panel.getByRole('button', { name: /^Download/ }).click()]);
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
    };
    const merged = await run('rig merge', async () => {
      await panel.getByLabel('base', { exact: true }).selectOption({ label: 'generic_male.xml' });
      await panel.getByLabel('addon', { exact: true }).selectOption([{ label: 'addon_hair_strand.xml' }, { label: 'addon_sword.xml' }]);
    });
    const out = join(scratch, 'merged.xml');
    native(['rig', 'merge', ...files, '-o', out, '-q']);
    check(merged.bytes.equals(readFileSync(out)), 'the merged skeleton is not that of the program');
    const tuned = await run('rig apply', async () => {
      await panel.getByLabel('file', { exact: true }).selectOption({ label: 'generic_male.xml' });
      await panel.getByLabel('modifiers', { exact: true }).selectOption({ label: 'hair (preset)' });
      await panel.getByLabel('bone', { exact: true }).fill('Head');
    });
    // New objects have ids that are made of the name of the file.
    const applied = join(scratch, tuned.name);
    native(['rig', 'apply', files[0], '--modifiers', 'hair', '--bone', 'Head', '-o', applied, '-q']);
    check(tuned.bytes.equals(readFileSync(applied)), 'the preset is not what the program makes of it');
  }));

test('Run offers the skeleton that a clip plays on where a skeleton is needed', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([walk, skeleton]);
    await viewer.page.getByRole('tab', { name: 'Run' }).click();
    const panel = viewer.page.locator('#panel-run');
    await panel.getByLabel('Operation').selectOption('retarget');
    const chosen = await Promise.all(['clip', 'from', 'to'].map((name) => panel.getByLabel(name, { exact: true }).first().evaluate((list) => list.selectedOptions[0].textContent)));
    check(chosen.join() === 'walk.hkx,skeleton.hkx,skeleton.hkx', chosen.join());
  }));

test('a pair is checked and exported with both of its skeletons', () =>
  withViewer(async (viewer) => {
    const pair = join(scratch, 'two_actors.hkx'), glb = join(scratch, 'two_actors.glb');
    native(['pair', 'join', walk, walk, '--skeleton', skeleton, '--place', '0,100,0,180', '-o', pair, '-q']);
    native(['convert', pair, '--skeleton', skeleton, '--skeleton', skeleton, '-o', glb, '-q']);
    await viewer.openFiles([pair, skeleton]);
    check((await viewer.download('glTF (.glb)')).bytes.equals(readFileSync(glb)), 'the .glb is not that of the program');
    await viewer.page.getByRole('tab', { name: 'Check' }).click();
    await viewer.until(() => window.marrow.store.state.findings !== null);
    const found = await viewer.state(() => window.marrow.store.state.findings.map(({ code }) => code).sort().join());
    const expected = JSON.parse(native(['check', pair, '--skeleton', skeleton, '--skeleton', skeleton, '--json'], [0, 1, 3]))[0].findings.map(({ code }) => code).sort().join();
    check(found === expected, `${found}, not ${expected}`);
  }));

test('the annotation that is edited is one of the file that is shown', () =>
  withViewer(async (viewer) => {
    const other = join(scratch, 'second.hkx');
    writeFileSync(other, readFileSync(walk));
    await viewer.openFiles([walk, other, skeleton]);
    const show = (name) => viewer.page.evaluate((path) => window.marrow.session.show(window.marrow.store.state.files.find((file) => file.path === path).id), name);
    await show('walk.hkx');
    await viewer.page.locator('.tick').first().focus();
    check(await viewer.page.locator('#annotation-text').isVisible(), 'the annotation cannot be edited');
    await show('second.hkx');
    await viewer.drawn();
    check(!(await viewer.page.locator('#annotation-text').isVisible()), 'an annotation of another file is edited');
  }));

await runAll(browser);
