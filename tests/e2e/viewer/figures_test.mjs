// SPDX-License-Identifier: MIT
// What is seen: the right skeleton, bodies, roles of bones, cameras, graphs, archives, pictures that move.
//
//     node figures_test.mjs MARROW PAGE [NAME]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, native, runAll, scratch, startBrowser, test, useViewer } from './browser.mjs';
import { differ } from './pixels.mjs';
import { character, hkx, needs, needsCorpus, sampleBvh, sampleClips } from './samples.mjs';

const browser = await startBrowser();
const withViewer = (body, options) => useViewer(browser, body, options);
const playsOn = (viewer) => viewer.state(() => {
  const { store } = window.marrow;
  const { subject } = store.state;
  return subject.kind === 'motion' ? store.state.files.find((file) => file.id === subject.skeletonFile).path : subject.title;
});

test('a troll plays on the troll although the human is open too', needsCorpus(() =>
  withViewer(async (viewer) => {
    await viewer.openFiles(['troll_h2hattackleftd', 'skeleton', 'skeleton_troll'].map((name) => hkx(`skyrim-le/${name}.hkx`)));
    check((await playsOn(viewer)) === 'skeleton_troll.hkx', await playsOn(viewer));
    check(!(await viewer.page.locator('.banner').isVisible()), 'a banner warns of what is right');
  })));

test('a clip on the wrong skeleton is refused with the reason; it plays there if that is wanted, under a banner that leads back', needsCorpus(() =>
  withViewer(async (viewer) => {
    await viewer.openFiles([hkx('fo4/Death1.hkx'), hkx('skyrim-se/skeleton.hkx')]);
    const card = viewer.page.getByRole('alert').filter({ hasText: 'No open skeleton fits' });
    check(/none of 91 bones/.test(await card.innerText()), await card.innerText());
    await card.getByRole('button', { name: 'Play on skeleton.hkx all the same' }).click();
    await viewer.until(() => window.marrow.store.state.subject.kind === 'motion');
    const banner = viewer.page.locator('.banner');
    check((await banner.innerText()).includes('was not made for skeleton.hkx'), await banner.innerText());
    const right = join(scratch, 'fo4_skeleton.hkx');
    writeFileSync(right, readFileSync(hkx('fo4/skeleton.hkx')));
    await viewer.openFiles([right]);
    await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      return session.show(store.state.files.find((file) => file.path === 'Death1.hkx').id);
    });
    await viewer.page.getByRole('button', { name: 'Play on fo4_skeleton.hkx' }).click();
    await viewer.until(() => window.marrow.store.state.subject.plays?.warning === null);
    check((await playsOn(viewer)) === 'fo4_skeleton.hkx', await playsOn(viewer));
    // And back, with the chooser.
    await viewer.page.getByLabel('Plays on').selectOption({ label: 'skeleton.hkx (does not fit)' });
    await viewer.until(() => window.marrow.store.state.subject.plays.warning !== null);
  })));

test('each actor of a pair has the skeleton that it was made for', needsCorpus(() =>
  withViewer(async (viewer) => {
    const [human, troll] = ['skeleton', 'skeleton_troll'].map((name) => hkx(`skyrim-le/${name}.hkx`));
    const pair = join(scratch, 'kill.hkx');
    native(['pair', 'join', hkx('skyrim-le/1hm_staggerbacksmallest.hkx'), hkx('skyrim-le/troll_h2hattackleftd.hkx'), '--hold', '--skeleton', human, '--skeleton', troll, '--place', '0,120,0,180', '-o', pair, '-q']);
    await viewer.openFiles([pair, human, troll]);
    const { files, jaw } = await viewer.state(() => {
      const { store, session } = window.marrow;
      store.set({ playing: false, frame: 10 });
      session.clock.pose();
      const { plays, actor } = store.state.subject;
      const name = (id) => store.state.files.find((file) => file.id === id).path;
      const bone = actor.bones.findIndex((each) => each.name.startsWith('2_NPC Jaw'));
      return { files: [name(plays.file), name(plays.second)], jaw: bone < 0 ? null : [...actor.model.subarray(bone * 10, bone * 10 + 3)] };
    });
    check(files.join() === 'skeleton.hkx,skeleton_troll.hkx', files.join());
    const rows = native(['sample', pair, '--frames', '10', '--space', 'model', '--skeleton', human, '--skeleton', troll]).split('\n').filter((line) => line.includes('2_NPC Jaw'));
    const place = rows[0].split(',').slice(2, 5).map(Number);
    check(jaw && Math.hypot(...jaw.map((value, k) => value - place[k])) < 0.01, `the jaw is at ${jaw}, not ${place}`);
  })));

test('every clip of a .glb can be chosen', () =>
  withViewer(async (viewer) => {
    const { walk, skeleton, other } = sampleClips(viewer);
    const [one, bones, two] = [await walk, await skeleton, await other];
    const glb = join(scratch, 'both.glb');
    native(['convert', one, two, '--skeleton', bones, '-o', glb, '-q']);
    await viewer.openFiles([glb]);
    await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, frame: 9 }));
    const names = await viewer.state(() => window.marrow.store.state.subject.clips);
    check(names.length === 2, JSON.stringify(names));
    const knee = () => viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      store.set({ playing: false, frame: 9 });
      session.clock.pose();
      return [...store.state.subject.actor.model].join();
    });
    const before = await knee();
    await viewer.page.getByLabel('Clip', { exact: true }).selectOption('1');
    await viewer.until(() => window.marrow.store.state.subject.clipIndex === 1);
    check((await knee()) !== before, 'the second clip is the first');
  }));

test('clips of one .glb are compared with each other', () =>
  withViewer(async (viewer) => {
    const { walk, skeleton, other } = sampleClips(viewer);
    const [one, bones, two] = [await walk, await skeleton, await other];
    const glb = join(scratch, 'compared.glb');
    native(['convert', one, two, '--skeleton', bones, '-o', glb, '-q']);
    await viewer.openFiles([glb]);
    await viewer.page.getByRole('tab', { name: 'Compare' }).click();
    await viewer.page.getByLabel('Compare with').selectOption({ label: 'other (this file)' });
    const worst = await viewer.until(() => window.marrow.store.state.comparison?.bones[0]);
    // As the two files differ.
    await viewer.openFiles([one, bones, two]);
    await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      const id = (path) => store.state.files.find((file) => file.path === path).id;
      return session.show(id('walk.hkx')).then(() => session.compare(id('other.hkx')));
    });
    const expected = await viewer.state(() => window.marrow.store.state.comparison.bones[0]);
    check(worst.degrees > 10 && Math.abs(worst.degrees - expected.degrees) < 0.1 && worst.frame === expected.frame, JSON.stringify([worst, expected]));
    // Files whose units differ are compared in those of the first.
    await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      return session.compare(store.state.files.find((file) => file.path === 'compared.glb').id, store.state.files.length > 0 ? 0 : 1);
    });
    const same = await viewer.state(() => Math.max(...window.marrow.store.state.comparison.bones.map(({ units }) => units)));
    check(same < 0.05, `a clip is ${same} units from itself in glTF`);
    await viewer.page.getByLabel('Its clip').selectOption({ label: 'other' });
    await viewer.until(() => window.marrow.store.state.comparison?.clipIndex === 1);
    // Bones that are called otherwise are not alike.
    await viewer.openFiles([sampleBvh()]);
    await viewer.page.evaluate(() => window.marrow.session.compare(window.marrow.store.state.files.find((file) => file.path === 'walk.hkx').id));
    check(/No bone has the same name/.test(await viewer.page.locator('#panel-compare').innerText()), 'it does not say that no bones are compared');
    const outside = await viewer.state(() => {
      const { store, session, stage } = window.marrow;
      store.set({ playing: false, frame: 0 });
      session.view.compareHow('side');
      store.tell();
      stage.draw();
      const { clientWidth, clientHeight } = stage.canvas;
      return stage.placed.flatMap(({ actor, offset, turn }) => actor.bones.map((_, i) => stage.toPixels(stage.eye.controls.target.clone().set(...[0, 1, 2].map((k) => actor.model[i * 10 + k] * actor.metresPerUnit)).applyAxisAngle({ x: 0, y: 0, z: 1 }, turn).add({ x: offset[0], y: offset[1], z: offset[2] })))).filter(({ x, y }) => x < 0 || y < 0 || x > clientWidth || y > clientHeight).length;
    });
    check(outside === 0, `${outside} bones of the two are outside of the picture`);
  }));

test('a clip is compared on its own skeleton, not on that of the other', needsCorpus(() =>
  withViewer(async (viewer) => {
    await viewer.openFiles(['1hm_staggerbacksmallest', 'troll_h2hattackleftd', 'skeleton', 'skeleton_troll'].map((name) => hkx(`skyrim-le/${name}.hkx`)));
    const compared = (path) => viewer.page.evaluate(async (name) => {
      const { session, store } = window.marrow;
      const id = (wanted) => store.state.files.find((file) => file.path === wanted).id;
      await session.show(id('1hm_staggerbacksmallest.hkx'));
      await session.compare(id(name));
      const { subject, comparison, message } = store.state;
      return { bones: [subject.actor.bones.length, comparison.actor.bones.length], message: message?.text ?? '' };
    }, path);
    const both = await compared('troll_h2hattackleftd.hkx');
    const troll = native(['info', hkx('skyrim-le/skeleton_troll.hkx'), '--json']);
    check(both.bones[0] !== both.bones[1] && troll.includes(`${both.bones[1]}`) && both.message === '', JSON.stringify(both));
    // Without the troll's skeleton it plays on the human's, and that is said.
    await viewer.page.evaluate(() => window.marrow.session.remove(window.marrow.store.state.files.find((file) => file.path === 'skeleton_troll.hkx').id));
    const wrong = await compared('troll_h2hattackleftd.hkx');
    check(wrong.bones[0] === wrong.bones[1] && wrong.message.includes('troll_h2hattackleftd.hkx was not made for'), JSON.stringify(wrong));
  })));

test('helpers, weapons and cameras are off until they are wanted, and sides have colours', needsCorpus(() =>
  withViewer(async (viewer) => {
    await viewer.openFiles([hkx('skyrim-se/skeleton.hkx')]);
    const seen = await viewer.state(() => {
      const { stage, store } = window.marrow;
      stage.draw();
      const { anatomy, bones } = store.state.subject.actor;
      const drawn = bones.filter((_, i) => stage.isDrawn(i)).map((bone) => bone.name);
      const links = stage.placed.at(-1).links.map((link) => [bones[link.bone].name, link.child < 0 ? '' : bones[link.child].name]);
      const side = (name) => anatomy.sides[bones.findIndex((bone) => bone.name === name)];
      const before = stage.bones.shown;
      store.set({ helpers: true });
      stage.draw();
      return { drawn, links, left: side('NPC L Thigh [LThg]'), right: side('NPC R Calf [RClf]'), middle: side('NPC Spine [Spn0]'), more: stage.bones.shown - before };
    });
    for (const name of ['Camera3rd [Cam3]', 'Quiver', 'WeaponSword', 'SkirtFBone01', 'NPC L MagicNode [LMag]', 'NPC L ForearmTwist1 [LLt1]', 'x_NPC LookNode [Look]']) check(!seen.drawn.includes(name), `${name} is drawn`);
    for (const name of ['NPC Pelvis [Pelv]', 'NPC L Hand [LHnd]', 'NPC R Finger12 [RF12]', 'NPC Head [Head]']) check(seen.drawn.includes(name), `${name} is not drawn`);
    check(!seen.links.some(([from, to]) => from === 'NPC Root [Root]' && to !== ''), 'the root is drawn as a limb');
    check(seen.left === 'left' && seen.right === 'right' && seen.middle === 'middle', JSON.stringify(seen));
    check(seen.more > 20, `${seen.more} more`);
  })));

test('names never cover each other', needsCorpus(() =>
  withViewer(async (viewer) => {
    await viewer.openFiles([hkx('fo4/skeleton.hkx')]);
    await viewer.page.keyboard.press('n');
    await viewer.drawn();
    const boxes = await viewer.state(() => [...document.querySelectorAll('.names span')].filter((each) => each.style.display !== 'none').map((each) => each.getBoundingClientRect().toJSON()));
    check(boxes.length > 15, `${boxes.length} names`);
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => check(a.right <= b.left + 3 || b.right <= a.left + 3 || a.bottom <= b.top + 3 || b.bottom <= a.top + 3, `two names at ${a.x}, ${a.y}`)));
  })));

test('the camera looks from a side, without perspective, along with the character, and out of a bone', () =>
  withViewer(async (viewer) => {
    const place = () => viewer.state(() => {
      const { eye } = window.marrow.stage;
      return { at: eye.camera.position.toArray(), to: eye.controls.target.toArray(), fov: eye.camera.fov };
    });
    await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, frame: 0 }));
    await viewer.page.getByRole('button', { name: 'View', exact: true }).click();
    await viewer.page.getByRole('button', { name: 'Left', exact: true }).click();
    const left = await place();
    check(Math.abs(left.at[1] - left.to[1]) < 0.01 && left.at[0] < left.to[0] - 1, JSON.stringify(left));
    await viewer.page.getByLabel('Orthographic (O)').check();
    check((await place()).fov === 1, 'perspective stays');
    await viewer.page.getByLabel('Orthographic (O)').uncheck();
    const before = await place();
    await viewer.page.evaluate(() => {
      window.marrow.stage.draw();
      window.marrow.store.set({ frame: 20 });
      window.marrow.stage.draw();
    });
    const after = await place();
    const travelled = await viewer.state(() => window.marrow.stage.placed.at(-1).offset);
    check(Math.abs(after.to[1] - before.to[1] - travelled[1]) < 1e-3 && Math.abs(travelled[1]) > 0.2, `${JSON.stringify(after)} ${travelled}`);
    const head = await viewer.state(() => {
      const { store, stage, session } = window.marrow;
      const bone = store.state.subject.actor.bones.findIndex((each) => /Head/.test(each.name));
      session.view.lookFrom(bone);
      stage.draw();
      return stage.eye.camera.position.toArray();
    });
    check(head[2] > 1 && head[2] < 2, `the eye is at ${head}`);
    const ahead = await viewer.state(() => {
      const { stage } = window.marrow;
      stage.draw();
      return stage.eye.controls.target.clone().set(0, 0, -1).transformDirection(stage.eye.camera.matrixWorld).toArray();
    });
    check(ahead[1] > 0.8, `it looks along ${ahead}, not ahead`);
    check(!(await viewer.state(() => window.marrow.stage.isDrawn(window.marrow.store.state.eyeBone))), 'the bone that it sits in is in front of it');
    await viewer.page.evaluate(() => window.marrow.session.view.lookFrom(null));
    await viewer.drawn();
    const out = await place();
    check(Math.abs(out.at[1] - out.to[1]) < 0.01 && out.at[0] < out.to[0] - 1, `the camera comes back to ${JSON.stringify(out)}`);
    const coin = await viewer.state(() => {
      const { eye } = window.marrow.stage;
      const at = eye.controls.target.clone();
      eye.frame([at, at.clone().addScalar(0.01)], 'front', false, null);
      return eye.camera.position.distanceTo(eye.controls.target);
    });
    check(coin < 0.06, `a coin is seen from ${coin} m`);
  }));

test('ghosts, ways, foot contacts and the ruler are drawn', () =>
  withViewer(async (viewer) => {
    await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, frame: 12 }));
    const plain = await viewer.state(() => (window.marrow.stage.draw(), window.marrow.stage.bones.shown));
    await viewer.page.keyboard.press('j');
    const ghosts = await viewer.state(() => (window.marrow.stage.draw(), window.marrow.stage.bones.shown));
    check(ghosts === 3 * plain, `${ghosts} bones with ghosts, ${plain} without`);
    await viewer.page.keyboard.press('k');
    await viewer.until(() => window.marrow.store.state.contacts !== null);
    const contacts = await viewer.state(() => window.marrow.store.state.contacts.map(({ side, from, to }) => [side, from, to]));
    check(contacts.some(([side]) => side === 'left') && contacts.some(([side]) => side === 'right'), JSON.stringify(contacts));
    const measured = await viewer.state(() => {
      const { session, store, stage } = window.marrow;
      const find = (pattern) => store.state.subject.actor.bones.findIndex((bone) => pattern.test(bone.name));
      const [a, b] = [find(/L Thigh/), find(/L Calf/)];
      session.view.toggleRuler();
      session.view.measure(a);
      session.view.measure(b);
      session.view.toggleTrail(b);
      stage.draw();
      const rest = store.state.subject.actor.bones[b].rest;
      return { shown: stage.metresBetween(a, b), true: Math.hypot(rest[0], rest[1], rest[2]) * store.state.subject.actor.metresPerUnit, ways: stage.marks.ways.children.length };
    });
    check(Math.abs(measured.shown - measured.true) < 1e-3 && measured.ways === 2, JSON.stringify(measured));
  }));

test('a second behaviour is shown although the first waits for its skeleton', needs([character('behaviour/files/se/weapequip.hkx'), character('behaviour/files/se/staggerbehavior.hkx')], () =>
  withViewer(async (viewer) => {
    const shown = () => viewer.state(() => [window.marrow.store.state.files.find((file) => file.id === window.marrow.store.state.graph?.file)?.path, window.marrow.store.state.subject.kind].join());
    await viewer.openFiles([character('behaviour/files/se/weapequip.hkx')]);
    check((await shown()) === 'weapequip.hkx,unshown', await shown());
    await viewer.openFiles([character('behaviour/files/se/staggerbehavior.hkx')]);
    check((await shown()) === 'staggerbehavior.hkx,unshown', await shown());
  })));

test('a behaviour is drawn beside the figure, and a click on a clip plays it', needs([character('behaviour/projects/chicken/behaviors/chickenbehavior.hkx')], () =>
  withViewer(async (viewer) => {
    const project = (path) => character(`behaviour/projects/chicken/${path}`);
    const skeleton = project('character assets/skeleton.hkx');
    await viewer.openFiles([project('behaviors/chickenbehavior.hkx'), skeleton]);
    await viewer.until(() => window.marrow.store.state.graph !== null);
    const seen = await viewer.state(() => ({
      boxes: document.querySelectorAll('.graph .clip').length, machines: document.querySelectorAll('.graph .machine').length, kind: window.marrow.store.state.subject.kind,
    }));
    check(seen.boxes === 36 && seen.machines === 11 && seen.kind === 'motion', JSON.stringify(seen));
    check((await viewer.page.locator('.graph .far').count()) > 0, 'what is too small to read is drawn');
    await viewer.page.locator('.graph .machine > .title').first().click({ modifiers: ['Shift'] });
    check(!(await viewer.page.locator('.graph .clip').first().isVisible()), 'a box that is folded shows what it holds');
    await viewer.page.getByLabel('Find in the graph').fill('IdleHeadTurn1');
    check(await viewer.page.locator('.graph .found').first().isVisible(), 'what is found is not shown');
    // A clip that is not open is named.
    await viewer.page.evaluate(() => window.marrow.session.playNode(window.marrow.store.state.graph.clips[0].node));
    check(/is not open/.test(await viewer.state(() => window.marrow.store.state.message.text)), 'it does not say what is missing');
    // With a file of that name it plays.
    const { walk, skeleton: human } = sampleClips(viewer);
    const named = join(scratch, 'GETUPStance.hkx');
    writeFileSync(named, readFileSync(await walk));
    await viewer.openFiles([project('behaviors/chickenbehavior.hkx'), named, await human]);
    await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      return session.show(store.state.files.findLast((file) => file.path.includes('chicken')).id);
    });
    await viewer.page.evaluate(() => window.marrow.session.playNode(window.marrow.store.state.graph.clips.find((clip) => clip.name === 'GetUpStanding').node));
    await viewer.until(() => window.marrow.store.state.subject.clip && window.marrow.store.state.graph.playing !== null);
    check((await viewer.page.locator('.graph .playing').count()) === 1, 'its box is not marked');
  })));

for (const [name, path] of [['BSA', 'sources/archives/se_clips.bsa'], ['BA2', 'sources/archives/fo4_clips.ba2']])
  test(`a ${name} opens as a folder, and its clip plays`, needs([character(path)], () =>
    withViewer(async (viewer) => {
      await viewer.drop([character(path)]);
      await viewer.until(() => !window.marrow.store.state.loading && !window.marrow.store.state.sample);
      const shown = await viewer.state(() => ({ paths: window.marrow.store.state.files.map((file) => file.path), kind: window.marrow.store.state.subject.kind, frames: window.marrow.store.state.subject.clip?.frameCount ?? 0 }));
      check(shown.paths.length >= 3 && shown.paths.every((each) => /^[^/]+\.(bsa|ba2)\//.test(each)), shown.paths.join());
      check(shown.kind === 'motion' && shown.frames > 1, JSON.stringify(shown));
    })));

for (const [name, paths, bones] of [
  ['BVH', ['sources/motion/walk01.bvh'], 19],
  ['binary FBX', ['sources/motion/maya_game_sausage_7500_binary_wiggle.fbx'], 4],
  ['text FBX', ['sources/motion/maya_game_sausage_7500_ascii_combined.fbx'], 4],
  ['clip of another game', ['sources/layouts/dsr_clip.hkt', 'sources/layouts/dsr_skeleton.hkt'], 84],
])
  test(`a ${name} plays`, needs(paths.map(character), () =>
    withViewer(async (viewer) => {
      await viewer.drop(paths.map(character));
      await viewer.until(() => !window.marrow.store.state.loading && !window.marrow.store.state.sample);
      const shown = await viewer.state(() => {
        const { subject } = window.marrow.store.state;
        return { kind: subject.kind, bones: subject.actor?.bones?.length ?? 0, frames: subject.actor?.frameCount ?? 0 };
      });
      check(shown.kind === 'motion' && shown.frames > 1 && shown.bones >= bones, JSON.stringify(shown));
    })));

test('a film is a PNG that moves, of the length and size that were asked for', () =>
  withViewer(async (viewer) => {
    await viewer.page.getByRole('button', { name: 'Download', exact: true }).click();
    await viewer.page.getByRole('menuitem', { name: 'Film …' }).click();
    const dialog = viewer.page.getByRole('dialog', { name: 'Film' });
    await dialog.getByLabel('Seconds').fill('0.4');
    await dialog.getByLabel('Frames per s').selectOption('15');
    await dialog.getByLabel('Size').selectOption('480x480');
    await dialog.getByText('Transparent background').click();
    const [file] = await Promise.all([viewer.page.waitForEvent('download'), dialog.getByRole('button', { name: 'Make it' }).click()]);
    const bytes = readFileSync(await file.path());
    const chunks = [];
    for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) chunks.push([bytes.toString('latin1', at + 4, at + 8), at + 8]);
    const control = chunks.find(([kind]) => kind === 'acTL');
    check(bytes.readUInt32BE(16) === 480 && bytes.readUInt32BE(20) === 480, 'it has another size');
    check(control && bytes.readUInt32BE(control[1]) === 6, 'it has another number of frames');
    const lasts = chunks.filter(([kind]) => kind === 'fcTL').reduce((sum, [, data]) => sum + bytes.readUInt16BE(data + 20) / bytes.readUInt16BE(data + 22), 0);
    check(Math.abs(lasts - 0.4) < 1e-9, `it lasts ${lasts} s`);
    check(chunks.filter(([kind]) => kind === 'fcTL').length === 6 && chunks.some(([kind]) => kind === 'fdAT'), chunks.map(([kind]) => kind).join());
    // A browser reads it, and its corner is clear.
    const corner = await viewer.page.evaluate(async (data) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return [image.width, context.getImageData(2, 2, 1, 1).data[3]];
    }, bytes.toString('base64'));
    check(corner[0] === 480 && corner[1] === 0, `${corner}`);
  }));

test('results of an operation open beside their source, or take its place', () =>
  withViewer(async (viewer) => {
    const { walk, skeleton } = sampleClips(viewer);
    await viewer.openFiles([await walk, await skeleton]);
    await viewer.page.getByRole('tab', { name: 'Run' }).click();
    await viewer.page.getByLabel('Operation').selectOption('clip reverse');
    await viewer.page.locator('#panel-run').getByRole('button', { name: 'Run', exact: true }).click();
    await viewer.page.getByRole('button', { name: 'Open beside' }).click();
    await viewer.until(() => window.marrow.store.state.comparison !== null);
    await viewer.page.getByRole('tab', { name: 'Compare' }).click();
    check(await viewer.page.locator('.compare-legend').isVisible(), 'the comparison has no legend');
    await viewer.page.locator('#panel-compare tbody tr').first().click();
    check((await viewer.state(() => window.marrow.store.state.frame)) === (await viewer.state(() => window.marrow.store.state.comparison.bones[0].frame)), 'a click does not go to the frame');
    const apart = async (how) => {
      await viewer.page.getByLabel('Seen', { exact: true }).selectOption(how);
      return viewer.state(() => (window.marrow.stage.draw(), window.marrow.stage.placed.map((each) => each.offset[0])));
    };
    check((await apart('side')).length === 2 && Math.abs((await apart('side'))[0] - (await apart('side'))[1]) > 1, 'not side by side');
    check((await apart('turns')).length === 1, 'both are seen in turns');
  }));

test('the picture of a body is the one that was kept', () =>
  withViewer(async (viewer) => {
    await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, frame: 8 }));
    const shot = async (name) => {
      const now = Buffer.from(await viewer.page.evaluate(() => {
        window.marrow.store.tell();
        window.marrow.stage.frame('free');
        return window.marrow.stage.picture({ width: 480, height: 480 }).then((blob) => blob.arrayBuffer()).then((data) => [...new Uint8Array(data)]);
      }));
      const kept = join(import.meta.dirname, 'reference', `${name}.png`);
      if (process.env.UPDATE) writeFileSync(kept, now);
      writeFileSync(join(scratch, `${name}.png`), now);
      const away = await differ(readFileSync(kept), now);
      check(away < 0.006, `${name}: ${(100 * away).toFixed(2)} % of the pixels differ; see ${join(scratch, `${name}.png`)}`);
    };
    await shot('silhouette');
    await viewer.page.evaluate(() => window.marrow.store.set({ bodies: false, ghosts: 2, helpers: true }));
    await shot('ghosts');
  }));

await runAll(browser);
