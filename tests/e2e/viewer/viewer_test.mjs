// SPDX-License-Identifier: MIT
// The viewer in a real browser, against the native program.
//
//     node viewer_test.mjs MARROW PAGE [NAME]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, corpus, native, runAll, scratch, startBrowser, test, useViewer } from './browser.mjs';
import { anvil, hkx, kParts, needsCorpus, rowsOf, sampleClips } from './samples.mjs';

const browser = await startBrowser();
const withViewer = (body, options) => useViewer(browser, body, options);

test('bones of a clip stand where `marrow sample` says', needsCorpus(() =>
  withViewer(async (viewer) => {
    for (const [clip, skeleton] of [['skyrim-se/bow_drawlight.hkx', 'skyrim-se/skeleton.hkx'], ['fo4/Death1.hkx', 'fo4/skeleton.hkx'], ['skyrim-le/1hm_staggerbacksmallest.hkx', 'skyrim-le/skeleton.hkx']]) {
      await viewer.openFiles([hkx(clip), hkx(skeleton)]);
      const frames = [0, 7.25, 21];
      const rows = rowsOf(native(['sample', hkx(clip), '--frames', frames.join(','), '--skeleton', hkx(skeleton), '--space', 'model']));
      for (const frame of frames) {
        const shown = await viewer.page.evaluate((at) => {
          const { store, session } = window.marrow;
          store.set({ playing: false, frame: at });
          session.clock.pose();
          const { actor } = store.state.subject;
          return session.document(store.state.subject.file).then((document) => ({
            names: actor.bones.map((bone) => bone.name), model: [...actor.model], tracks: document.tracks(0).bones,
          }));
        }, frame);
        const here = rows.filter((row) => row.frame === frame);
        check(here.length > 0 && shown.names.length > 0, `${clip}: nothing to compare`);
        let compared = 0;
        for (const row of here) {
          const bone = row.bone === undefined ? (shown.tracks[row.track] ?? row.track) : shown.names.indexOf(String(row.bone));
          check(bone >= 0, `${clip}: there is no bone ${row.bone}`);
          kParts.forEach((part, k) => {
            const away = Math.abs(shown.model[bone * 10 + k] - row[part]);
            check(away < 1e-4, `${clip} frame ${frame}: ${row.bone} ${part} is ${away} away`);
          });
          ++compared;
        }
        check(compared > 20, `${clip}: only ${compared} bones were compared`);
      }
    }
  })));

test('an annotation dragged on the page is in the downloaded HKX, and nothing else changed', needsCorpus(() =>
  withViewer(async (viewer) => {
    const clip = hkx('skyrim-se/bow_drawlight.hkx');
    await viewer.openFiles([clip, hkx('skyrim-se/skeleton.hkx')]);
    await viewer.page.evaluate(() => window.marrow.store.set({ playing: false }));
    const untouched = await viewer.download('This file');
    check(untouched.bytes.equals(readFileSync(clip)), 'a file without edits is not the same');
    const tick = viewer.page.locator('.tick').nth(1);
    const box = await tick.boundingBox();
    const track = await viewer.page.locator('.ticks').boundingBox();
    const text = await tick.getAttribute('data-text');
    await viewer.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await viewer.page.mouse.down();
    await viewer.page.mouse.move(track.x + track.width * 0.5, box.y + 4, { steps: 8 });
    await viewer.page.mouse.up();
    const moved = await viewer.state(() => window.marrow.store.state.subject.annotations.map(({ text: word, time }) => [word, time]));
    const { name, bytes } = await viewer.download('This file');
    check(name === 'bow_drawlight.hkx', `the file is called ${name}`);
    const out = join(scratch, name);
    writeFileSync(out, bytes);
    const { differences } = JSON.parse(native(['diff', clip, out, '--json'], [0, 3]));
    check(differences.length > 0 && differences.every((each) => each.kind === 'event'), `other things changed: ${JSON.stringify(differences)}`);
    check(differences.every((each) => `${each.left ?? ''}${each.right ?? ''}`.includes(text)), `another event changed: ${JSON.stringify(differences)}`);
    const [listed] = JSON.parse(native(['annotations', 'list', out, '--json']));
    const times = JSON.stringify(listed);
    const expected = moved.find(([word]) => word === text)[1];
    check(Math.abs(expected - 0.5 * (50 / 30)) < 0.04, `it was moved to ${expected}`);
    check(times.includes(String(Math.fround(expected))) || times.includes(String(Number(expected.toPrecision(7)))), `${expected} is not in ${times}`);
    // Undo gives the file as it came.
    await viewer.page.keyboard.press('Control+z');
    const again = await viewer.download('This file');
    check(again.bytes.equals(readFileSync(clip)), 'undo does not give the file back');
  })));

test('a slider of a rig is in the downloaded XML, and the simulation equals `marrow simulate`', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles(['generic_male.xml', 'addon_hair_strand.xml'].map(anvil));
    // Choose a ball joint of the addon.
    const picked = await viewer.page.evaluate(() => {
      const { store } = window.marrow;
      const { rig, subject } = store.state;
      const modifier = rig.modifiers.findIndex((each) => each.type === 'BallJointBoneModifier' && subject.actor.bones[each.bone].name === 'T_Hair');
      store.set({ modifier, world: { ...store.state.world, running: false } });
      return modifier;
    });
    check(picked >= 0, 'the stack has no hair');
    const slider = viewer.page.locator('input[type=range][data-field="MechanicalFriction.0"]');
    await slider.focus();
    for (let i = 0; i < 3; ++i) await viewer.page.keyboard.press('PageDown');
    const value = await viewer.page.evaluate((modifier) => window.marrow.store.state.rig.rig.field(modifier, 'MechanicalFriction')[0], picked);
    check(value < 25 && value >= 0, `the slider did not move the value: ${value}`);
    // The tuned addon, as a file.
    await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      const addon = store.state.files.find((file) => file.path.includes('hair'));
      return session.bytes(addon.id).then((bytes) => (window.tuned = [...bytes]));
    });
    const addon = join(scratch, 'addon_hair_strand.xml');
    writeFileSync(addon, Buffer.from(await viewer.state(() => window.tuned)));
    const differences = JSON.parse(native(['diff', anvil('addon_hair_strand.xml'), addon, '--json'], [0, 3])).differences;
    check(differences.length === 1 && differences[0].field.includes('MechanicalFriction'), JSON.stringify(differences));
    // The merged skeleton through the menu.
    const merged = await viewer.download('Merged skeleton (XML)');
    const xml = join(scratch, merged.name);
    writeFileSync(xml, merged.bytes);
    const listed = JSON.parse(native(['rig', 'list', xml, '--match', 'T_Hair', '--json']));
    const field = listed[0].bones[0].modifiers[0].fields.MechanicalFriction;
    check(Math.abs(field - value) < 1e-5, `the file has ${field}, the page ${value}`);
    // Two seconds of shaking: the page, step by step, and the program.
    const csv = join(scratch, 'shaken.csv');
    native(['simulate', xml, '--fps', '60', '--seconds', '2', '--shake', '0.1,2', '--wind', '3,0,0', '-o', csv, '-q']);
    const rows = rowsOf(readFileSync(csv, 'utf8'));
    const steps = await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      store.set({ world: { ...store.state.world, running: false, fps: 60, shakeMetres: 0.1, shakeHertz: 2, wind: [3, 0, 0] } });
      session.clock.reset();
      const { actor } = store.state.subject;
      const poses = [];
      for (let i = 0; i < 120; ++i) {
        session.clock.step();
        poses.push([...actor.local]);
      }
      return { poses, names: actor.bones.map((bone) => bone.name) };
    });
    let worst = 0, compared = 0, swung = 0;
    for (const row of rows) {
      if (row.frame === 0) continue;
      const bone = steps.names.indexOf(String(row.bone));
      check(bone >= 0, `there is no bone ${row.bone}`);
      kParts.forEach((part, k) => {
        worst = Math.max(worst, Math.abs(steps.poses[row.frame - 1][bone * 10 + k] - row[part]));
        ++compared;
      });
      if (row.bone === 'T_Hair') swung = Math.max(swung, Math.abs(row.qx - rows.find((each) => each.bone === 'T_Hair').qx));
    }
    check(compared === 120 * steps.names.length * 10, `${compared} numbers were compared`);
    check(swung > 1e-3, 'the hair does not swing: nothing was tried');
    check(worst < 1e-6, `the worst number is ${worst} away`);
  }));

test('collision of a NIF lies over its meshes, and a click shows the body', needsCorpus(() =>
  withViewer(async (viewer) => {
    await viewer.openFiles([join(corpus, 'nif/AlarmClock.nif')]);
    const seen = await viewer.state(() => {
      const { bodies, meshes } = window.marrow.store.state.subject;
      return [bodies.length, bodies[0].meshes.length, meshes.length];
    });
    check(seen[0] === 1 && seen[1] === 1 && seen[2] > 0, JSON.stringify(seen));
    const canvas = await viewer.page.locator('canvas').first().boundingBox();
    await viewer.page.mouse.click(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
    await viewer.until(() => window.marrow.store.state.body === 0);
    check(await viewer.page.getByText('Material_Plastic').first().isVisible(), 'its material is not shown');
  })));

test('presets run on a click, and on any skeleton', () =>
  withViewer(async (viewer) => {
    await viewer.page.evaluate(() => {
      const { store } = window.marrow;
      store.set({ bone: store.state.subject.actor.bones.findIndex((bone) => bone.name.includes('L UpperArm')), right: 'rig' });
    });
    await viewer.page.getByRole('button', { name: 'chain', exact: true }).click();
    await viewer.until(() => window.marrow.store.state.rig && window.marrow.store.state.world.step > 10);
    const count = await viewer.state(() => window.marrow.store.state.rig.modifiers.length);
    check(count > 0, 'no modifier runs');
    const { bytes } = await viewer.download('Modifiers (sidecar)');
    const sidecar = JSON.parse(bytes.toString());
    check(sidecar.modifiers.length === count, 'the sidecar has other modifiers');
  }));

test('a preset that was put on an Anvil skeleton is in the downloaded XML', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([anvil('generic_male.xml')]);
    await viewer.page.evaluate(() => {
      const { store } = window.marrow;
      store.set({ bone: store.state.subject.actor.bones.findIndex((bone) => bone.name === 'LeftHand') });
    });
    await viewer.page.getByRole('button', { name: 'pouch', exact: true }).click();
    await viewer.until(() => window.marrow.store.state.rig.preset !== null);
    const { name, bytes } = await viewer.download('This file');
    const out = join(scratch, `pouch_${name}`);
    writeFileSync(out, bytes);
    const [listed] = JSON.parse(native(['rig', 'list', out, '--match', 'LeftHand', '--json']));
    check(listed.bones[0].modifiers.length > 0, 'the hand has no modifier');
    await viewer.page.evaluate(() => window.marrow.session.history.undo());
    check(await viewer.state(() => window.marrow.store.state.rig.preset === null), 'undo does not take it away');
  }));

test('two clips are compared: differences as colours and as a list, the largest first', () =>
  withViewer(async (viewer) => {
    const { walk, skeleton, other } = sampleClips(viewer);
    await viewer.openFiles([await walk, await skeleton, await other]);
    await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      const clips = store.state.files.filter((file) => !file.path.includes('skeleton'));
      return session.show(clips[0].id).then(() => session.compare(clips[1].id));
    });
    const { bones, differences } = await viewer.state(() => ({ bones: window.marrow.store.state.comparison.bones, differences: window.marrow.store.state.comparison.report.differences.length }));
    check(bones[0].degrees > 5, `the largest difference is ${bones[0].degrees} degrees`);
    check(bones.every((each, i) => i === 0 || each.degrees <= bones[i - 1].degrees), 'the list is not sorted');
    check(differences > 0, 'the library sees no difference');
    check(await viewer.page.locator('#panel-compare tbody tr').count() > 3, 'no rows');
  }));

test('the curves of a bone show the knots that the file stores', needsCorpus(() =>
  withViewer(async (viewer) => {
    await viewer.openFiles([hkx('skyrim-se/bow_drawlight.hkx'), hkx('skyrim-se/skeleton.hkx')]);
    await viewer.page.evaluate(() => {
      const { store } = window.marrow;
      store.set({ playing: false, curves: true, degrees: false, bone: store.state.subject.actor.bones.findIndex((bone) => bone.name.includes('R Forearm')) });
    });
    await viewer.page.locator('.plots canvas').first().waitFor();
    const [report] = JSON.parse(native(['knots', hkx('skyrim-se/bow_drawlight.hkx'), '--json']));
    const bone = await viewer.state(() => window.marrow.store.state.bone);
    const rotation = report.tracks[bone].channels.find((channel) => channel.name === 'rotation');
    check(rotation.knots.length > 1, 'the forearm does not move');
    const [file] = await Promise.all([viewer.page.waitForEvent('download'), viewer.page.getByRole('button', { name: 'Download CSV' }).click()]);
    const rows = rowsOf(readFileSync(await file.path(), 'utf8'));
    check(rows.length === 51 && 'Rotation W' in rows[0] && Math.abs(rows[0]['Rotation W']) <= 1, `${rows.length} rows`);
    // In degrees, with a cursor that has values, zoomed by the wheel, and with another bone pinned.
    await viewer.page.getByRole('button', { name: 'Degrees' }).click();
    await viewer.until(() => /°/.test(document.querySelectorAll('.plots figcaption')[1]?.textContent ?? ''));
    const plot = viewer.page.locator('.plots canvas').nth(1);
    await plot.hover();
    const now = viewer.page.locator('.curves .now');
    const at = Number(/frame (\d+)/.exec(await now.textContent())[1]);
    const q = ['X', 'Y', 'Z', 'W'].map((axis) => rows[at][`Rotation ${axis}`]);
    const expected = (Math.atan2(2 * (q[3] * q[0] + q[1] * q[2]), 1 - 2 * (q[0] * q[0] + q[1] * q[1])) * 180) / Math.PI;
    const read = Number(/X (-?[\d.]+)/.exec(await now.textContent())[1]);
    check(Math.abs(((read - expected + 540) % 360) - 180) < 0.5, `${read} degrees, not ${expected}`);
    await viewer.page.getByRole('button', { name: 'Pin', exact: true }).click();
    await viewer.page.evaluate(() => window.marrow.session.view.selectBone(window.marrow.store.state.bone - 1));
    await viewer.until(() => document.querySelectorAll('.plots canvas').length >= 6);
    await plot.hover();
    await viewer.page.mouse.wheel(0, -600);
    const first = /frame (\d+)/.exec(await now.textContent());
    check(first !== null, 'the cursor has no values');
    await viewer.page.getByRole('button', { name: 'Events', exact: true }).click();
    await viewer.page.getByLabel('Filter events').fill('no such event');
    check(await viewer.page.getByText('No event has this text.').isVisible(), 'the filter shows all');
  })));

await runAll(browser);
