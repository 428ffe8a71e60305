// SPDX-License-Identifier: MIT
// The viewer in a real browser, against the native program.
//
//     node viewer_test.mjs MARROW PAGE [NAME]
import { createRequire } from 'node:module';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, corpus, examples, hasCorpus, kSkipped, native, runAll, scratch, startBrowser, test, useViewer } from './browser.mjs';
import { differ } from './pixels.mjs';

const browser = await startBrowser();
const hkx = (name) => join(corpus, 'hkx', name);
const anvil = (name) => join(examples, 'anvil', name);

const withViewer = (body, options) => useViewer(browser, body, options);
const needsCorpus = (body) => async () => (hasCorpus ? body() : (console.log(`        no corpus at ${corpus}`), kSkipped));

/** Rows of a CSV as objects of numbers. */
function rowsOf(csv) {
  const [head, ...lines] = csv.trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((word, i) => [names[i], isNaN(word) ? word : Number(word)])));
}
const kParts = ['tx', 'ty', 'tz', 'qx', 'qy', 'qz', 'qw', 'sx', 'sy', 'sz'];

test('the built-in sample plays at once, and the first screen explains itself', () =>
  withViewer(async (viewer) => {
    const first = await viewer.state(() => window.marrow.store.state.frame);
    const before = await viewer.page.screenshot();
    await viewer.until((frame) => Math.abs(window.marrow.store.state.frame - frame) > 3, first);
    check((await differ(before, await viewer.page.screenshot())) > 0.0005, 'the picture does not move');
    check(await viewer.page.getByText('Drop a file to see it move').isVisible(), 'nothing says what to do');
    const annotations = await viewer.page.locator('.tick').count();
    check(annotations === 2, `the sample has 2 annotations, not ${annotations}`);
  }, { isSeen: true }));

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

test('a broken file shows its error and the page lives on', () =>
  withViewer(async (viewer) => {
    const sample = join(scratch, 'walk');
    mkdirSync(sample, { recursive: true });
    const good = readFileSync(anvil('generic_male.xml'));
    writeFileSync(join(sample, 'half.xml'), good.subarray(0, good.length / 2));
    writeFileSync(join(sample, 'noise.hkx'), Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 7919) & 255)));
    writeFileSync(join(sample, 'empty.nif'), '');
    for (const name of ['half.xml', 'noise.hkx', 'empty.nif']) {
      await viewer.openFiles([join(sample, name)]);
      const card = viewer.page.getByRole('alert');
      check(await card.isVisible(), `${name}: no error is shown`);
      check((await card.innerText()).includes(`${name} cannot be read`), await card.innerText());
    }
    await viewer.openFiles([anvil('generic_male.xml')]);
    check(await viewer.state(() => window.marrow.store.state.subject.kind === 'motion'), 'a good file is not shown after bad ones');
    check(!(await viewer.page.getByRole('alert').isVisible()), 'the error stays');
  }));

test('a clip without its skeleton says what would fit, and plays when it comes', needsCorpus(() =>
  withViewer(async (viewer) => {
    await viewer.openFiles([hkx('skyrim-se/bow_drawlight.hkx')]);
    check((await viewer.page.getByRole('alert').innerText()).includes('needs its skeleton'), 'it does not say what is missing');
    await viewer.openFiles([hkx('skyrim-se/skeleton.hkx')]);
    await viewer.until(() => window.marrow.store.state.subject.kind === 'motion' && window.marrow.store.state.subject.clip);
    await viewer.until(() => window.marrow.store.state.frame > 2);
  })));

test('a merged rig is drawn as it was', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles(['generic_male.xml', 'addon_hair_strand.xml', 'addon_quad_pistols.xml', 'addon_sword.xml'].map(anvil));
    const stack = await viewer.state(() => {
      const { store, session } = window.marrow;
      store.set({ world: { ...store.state.world, running: false } });
      session.clock.reset();
      return { files: store.state.stack.files.length, bones: store.state.subject.actor.bones.length, plan: store.state.stack.plan.bones };
    });
    check(stack.files === 4 && stack.bones === stack.plan && stack.bones > 84, JSON.stringify(stack));
    await matches(viewer, 'merged_rig');
  }, { isSeen: true }));

test('collision is drawn as it was', () =>
  withViewer(async (viewer) => {
    const { obj, blob } = sampleCollision();
    check(existsSync(obj), 'no mesh');
    await viewer.openFiles([blob]);
    const bodies = await viewer.state(() => window.marrow.store.state.subject.bodies.map(({ body, meshes }) => [body.shape, meshes.length]));
    check(bodies.length === 3 && bodies.every(([, meshes]) => meshes > 0), JSON.stringify(bodies));
    await matches(viewer, 'collision');
  }, { isSeen: true }));

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

test('findings of check stand beside the picture, and a click goes to the bone', () =>
  withViewer(async (viewer) => {
    const bad = join(corpus, 'anvil/bad_w_mirror_asym.xml');
    if (!existsSync(bad)) return kSkipped;
    await viewer.openFiles([bad]);
    await viewer.page.getByRole('tab', { name: 'Check' }).click();
    const finding = viewer.page.locator('.finding.warning', { hasText: 'the mirror of LeftHand' });
    await finding.click();
    const bone = await viewer.state(() => window.marrow.store.state.subject.actor.bones[window.marrow.store.state.bone].name);
    check(bone === 'LeftHand', `it went to ${bone}`);
  }));

test('undo and redo, and a page with edits asks before it goes', () =>
  withViewer(async (viewer) => {
    const times = () => viewer.state(() => window.marrow.store.state.subject.annotations.map((each) => each.time).join());
    const before = await times();
    await viewer.page.locator('.tick').first().focus();
    await viewer.page.keyboard.press('ArrowRight');
    const after = await times();
    check(after !== before, 'the arrow key does not move a tick');
    await viewer.page.locator('canvas').first().click({ position: { x: 4, y: 300 } });
    await viewer.page.keyboard.press('Control+z');
    check((await times()) === before, 'undo does nothing');
    await viewer.page.keyboard.press('Control+y');
    check((await times()) === after, 'redo does nothing');
    check(await viewer.state(() => window.marrow.session.hasUnsaved), 'the edit is not noticed');
    const asked = await viewer.state(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
    check(asked, 'the page would go without asking');
    await viewer.page.evaluate(() => window.marrow.session.history.undo());
  }));

test('a zip gives a list to go through with the arrow keys', needsCorpus(() =>
  withViewer(async (viewer) => {
    const zip = join(scratch, 'clips.zip');
    const { default: zipped } = await import('./zip.mjs');
    writeFileSync(zip, zipped(['bow_drawlight.hkx', 'dialogueangrya.hkx', 'skeleton.hkx'].map((name) => [`mod/${name}`, readFileSync(hkx(`skyrim-se/${name}`))])));
    await viewer.openFiles([zip]);
    const name = () => viewer.state(() => window.marrow.store.state.files.find((file) => file.id === window.marrow.store.state.active).path);
    check((await name()) === 'mod/bow_drawlight.hkx', await name());
    await viewer.page.getByRole('listbox', { name: 'Files' }).focus();
    await viewer.page.keyboard.press('ArrowDown');
    await viewer.until(() => !window.marrow.store.state.loading && window.marrow.store.state.subject.kind === 'motion');
    check((await name()) === 'mod/dialogueangrya.hkx', await name());
  })));

test('the last files are offered again, unless that is switched off', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([anvil('generic_male.xml')]);
    await viewer.page.waitForTimeout(500);
    await viewer.page.reload();
    await viewer.until(() => Boolean(window.marrow));
    const again = viewer.page.getByRole('button', { name: 'Continue with generic_male.xml' });
    await again.click();
    await viewer.until(() => window.marrow.store.state.files.some((file) => file.path === 'generic_male.xml'));
    await viewer.page.evaluate(() => window.marrow.store.set({ remember: false }));
    await viewer.page.waitForTimeout(300);
    await viewer.page.reload();
    await viewer.until(() => Boolean(window.marrow));
    await viewer.page.waitForTimeout(300);
    check((await again.count()) === 0, 'it is offered although it is switched off');
  }));

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

test('.glb, annotation text, a picture and a film come out of the menu', () =>
  withViewer(async (viewer) => {
    const glb = await viewer.download('glTF (.glb)');
    check(glb.bytes.subarray(0, 4).toString() === 'glTF', 'not a .glb');
    writeFileSync(join(scratch, 'walk.glb'), glb.bytes);
    const [info] = JSON.parse(native(['info', join(scratch, 'walk.glb'), '--json']));
    check(info.clips[0].frames === 31 && info.clips[0].annotations === 2 && info.clips[0].root_motion, JSON.stringify(info.clips));
    const text = await viewer.download('Annotations (text)');
    check(/FootLeft/.test(text.bytes.toString()), text.bytes.toString());
    const png = await viewer.download('Picture (PNG)');
    check(png.bytes.subarray(1, 4).toString() === 'PNG' && png.bytes.length > 5000, 'not a picture');
    const film = await viewer.download('Film of 4 seconds (WebM)');
    check(film.bytes.length > 500 && film.bytes.readUInt32BE(0) === 0x1a45dfa3, `not a film: ${film.bytes.length} bytes`);
  }));

test('the page has no accessibility violations', async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const theme of ['light', 'dark'])
    await withViewer(async (viewer) => {
      const look = async (where) => {
        // Through the inspector: the page's own policy does not let scripts be added.
        const session = await viewer.context.newCDPSession(viewer.page);
        await session.send('Runtime.evaluate', { expression: axe });
        const { result } = await session.send('Runtime.evaluate', {
          expression: `axe.run(document, { resultTypes: ['violations'] }).then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 120), v.nodes[0].failureSummary])))`,
          awaitPromise: true,
        });
        const violations = JSON.parse(result.value);
        check(violations.length === 0, `${theme}, ${where}: ${JSON.stringify(violations, null, 1)}`);
      };
      await look('first screen');
      await viewer.openFiles(['generic_male.xml', 'addon_hair_strand.xml'].map(anvil));
      await look('rig');
      for (const tab of ['Details', 'Collision', 'Compare', 'Check', 'Run']) {
        await viewer.page.getByRole('tab', { name: tab }).click();
        await viewer.page.waitForTimeout(100);
        await look(tab);
      }
      await viewer.page.keyboard.press('?');
      await look('help');
    }, { theme });
});

test('memory is steady over 500 files', () =>
  withViewer(async (viewer) => {
    const folder = join(scratch, 'many');
    mkdirSync(folder, { recursive: true });
    const names = Array.from({ length: 500 }, (_, i) => `rig${String(i).padStart(3, '0')}.xml`);
    for (const [i, name] of names.entries()) copyFileSync(anvil(['addon_hair_strand.xml', 'addon_sword.xml', 'addon_hidden_blade.xml'][i % 3]), join(folder, name));
    // One at a time: each is a rig of its own, not a stack of 500.
    const walk = await viewer.page.evaluate(async (files) => {
      const { session, store } = window.marrow;
      const { memory } = session.marrow.memory.core;
      const entries = files.map(([path, data], i) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        return { id: 1e6 + i, path, size: bytes.length, batch: 1e6 + i, read: async () => bytes };
      });
      store.set({ remember: false });
      await session.add(entries);
      const sizes = [], handles = [];
      for (const entry of entries) {
        await session.show(entry.id);
        sizes.push(memory.buffer.byteLength);
        handles.push(session.marrow.openHandles());
      }
      return { sizes, handles, shown: store.state.subject.kind };
    }, names.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));
    check(walk.shown === 'motion', 'the last file is not shown');
    check(walk.sizes.at(-1) === walk.sizes[50], `memory grew from ${walk.sizes[50]} to ${walk.sizes.at(-1)}`);
    check(walk.handles.at(-1) <= Math.max(...walk.handles.slice(0, 50)), `handles grew to ${walk.handles.at(-1)}`);
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
      store.set({ playing: false, curves: true, bone: store.state.subject.actor.bones.findIndex((bone) => bone.name.includes('R Forearm')) });
    });
    await viewer.page.locator('.plots canvas').first().waitFor();
    const [report] = JSON.parse(native(['knots', hkx('skyrim-se/bow_drawlight.hkx'), '--json']));
    const bone = await viewer.state(() => window.marrow.store.state.bone);
    const rotation = report.tracks[bone].channels.find((channel) => channel.name === 'rotation');
    check(rotation.knots.length > 1, 'the forearm does not move');
    const [file] = await Promise.all([viewer.page.waitForEvent('download'), viewer.page.getByRole('button', { name: 'Download CSV' }).click()]);
    const rows = rowsOf(readFileSync(await file.path(), 'utf8'));
    check(rows.length === 51 && 'Rotation W' in rows[0] && Math.abs(rows[0]['Rotation W']) <= 1, `${rows.length} rows`);
  })));

test('a hundred actors of a hundred bones: the script takes less than a frame', needsCorpus(() =>
  withViewer(async (viewer) => {
    await viewer.openFiles([hkx('skyrim-se/dialogueangrya.hkx'), hkx('skyrim-se/skeleton.hkx')]);
    const cost = await viewer.page.evaluate(() => {
      const { stage, store, session } = window.marrow;
      store.set({ crowd: 100, playing: true });
      // Without the graphics card, which is software here: sampling, posing, shaping and handing over.
      const { render } = stage.renderer;
      stage.renderer.render = () => undefined;
      const times = [];
      for (let i = 0; i < 60; ++i) {
        const before = performance.now();
        session.clock.tick(1 / 60);
        stage.draw();
        times.push(performance.now() - before);
      }
      stage.renderer.render = render;
      // With it: reading one pixel waits until the frame is drawn.
      const gl = stage.renderer.getContext(), drawn = [];
      for (let i = 0; i < 15; ++i) {
        const before = performance.now();
        session.clock.tick(1 / 60);
        stage.draw();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
        drawn.push(performance.now() - before);
      }
      const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
      const card = gl.getExtension('WEBGL_debug_renderer_info');
      return {
        script: median(times), frame: median(drawn), bones: store.state.subject.actor.bones.length, calls: stage.renderer.info.render.calls,
        size: `${gl.drawingBufferWidth}x${gl.drawingBufferHeight}`, by: gl.getParameter(card.UNMASKED_RENDERER_WEBGL),
      };
    });
    console.log(`        100 actors of ${cost.bones} bones: ${cost.script.toFixed(2)} ms of script per frame (of 16.7); ` +
      `${cost.frame.toFixed(1)} ms with drawing in ${cost.calls} calls at ${cost.size} by ${cost.by}`);
    check(cost.bones >= 99, `${cost.bones} bones`);
    check(cost.calls < 20, `${cost.calls} draw calls`);
  }, { isSeen: true })));

test('pictures for the documentation', async () => {
  const folder = process.env.DOCS ? join(examples, '../docs/viewer') : join(scratch, 'docs');
  mkdirSync(folder, { recursive: true });
  for (const theme of ['light', 'dark'])
    await withViewer(async (viewer) => {
      const shoot = async (name) => {
        await viewer.page.mouse.move(640, 710);
        await viewer.page.waitForTimeout(250);
        await viewer.page.screenshot({ path: join(folder, `${name}_${theme}.png`) });
      };
      await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, frame: 22 }));
      await shoot('first_screen');
      // A clip with its curves.
      const { walk, skeleton, other } = sampleClips(viewer);
      const clips = [await walk, await skeleton, await other];
      await viewer.openFiles(clips);
      await viewer.page.evaluate(() => {
        const { session, store } = window.marrow;
        return session.show(store.state.files.find((file) => file.path === 'walk.hkx').id).then(() =>
          store.set({ playing: false, frame: 9, curves: true, left: 'bones', bone: store.state.subject.actor.bones.findIndex((bone) => bone.name.includes('L Thigh')) }));
      });
      await shoot('clip');
      await viewer.page.evaluate(() => {
        const { session, store } = window.marrow;
        store.set({ curves: false, sideBySide: false, bone: null, left: 'files', rootMotion: false });
        return session.compare(store.state.files.find((file) => file.path === 'other.hkx').id).then(() => (window.marrow.stage.frame(), store.set({ frame: 9 })));
      });
      await shoot('compare');
      // A rig whose hair blows in the wind.
      await viewer.openFiles(['generic_male.xml', 'addon_hair_strand.xml', 'addon_quad_pistols.xml', 'addon_sword.xml'].map(anvil));
      await viewer.page.evaluate(() => {
        const { session, store, stage } = window.marrow;
        const { rig, subject } = store.state;
        const bone = subject.actor.bones.findIndex((each) => each.name === 'T_Hair');
        store.set({ modifier: rig.modifiers.findIndex((each) => each.bone === bone), bone: null, world: { ...store.state.world, running: false, wind: [0, 12, 0], gusts: 0.3 } });
        session.clock.reset();
        for (let i = 0; i < 90; ++i) session.clock.step();
        store.set({ bone: subject.actor.bones.findIndex((each) => each.name === 'Neck') });
        stage.frame();
        stage.orbit(-20, 0, 1.25);
        store.set({ bone: null });
      });
      await shoot('rig');
      await viewer.openFiles([sampleCollision().blob]);
      await viewer.page.evaluate(() => {
        window.marrow.stage.frame();
        window.marrow.store.set({ body: 0 });
      });
      await shoot('collision');
    }, { theme, isSeen: true });
});

/** The sample's clip and skeleton as files, and the same walk mirrored. */
function sampleClips(viewer) {
  const save = (path) => viewer.page.evaluate((name) => {
    const list = JSON.parse(document.getElementById('marrow-sample').textContent);
    return list.find((file) => file.path.endsWith(name)).data;
  }, path).then((data) => {
    const out = join(scratch, path);
    writeFileSync(out, Buffer.from(data, 'base64'));
    return out;
  });
  const walk = save('walk.hkx'), skeleton = save('skeleton.hkx');
  const other = Promise.all([walk, skeleton]).then(([clip, bones]) => {
    const out = join(scratch, 'other.hkx');
    native(['mirror', clip, '--skeleton', bones, '-o', out, '-q']);
    return out;
  });
  return { walk, skeleton, other };
}

/** A box, a tower and a ramp, built by the program. */
function sampleCollision() {
  const obj = join(scratch, 'shapes.obj');
  const lines = [];
  let first = 1;
  const add = (name, material, points, faces) => {
    lines.push(`o ${name}`, `usemtl ${material}`, ...points.map((point) => `v ${point.join(' ')}`), ...faces.map((face) => `f ${face.map((i) => i + first).join(' ')}`));
    first += points.length;
  };
  const box = (x, y, z, w) => [[0, 0, 0], [w, 0, 0], [w, w, 0], [0, w, 0], [0, 0, w], [w, 0, w], [w, w, w], [0, w, w]].map(([a, b, c]) => [a + x, b + y, c + z]);
  const sides = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
  add('Box', 'Material_Wood', box(0, 0, 0, 40), sides);
  add('Tall', 'Material_Metal', box(60, 0, 0, 30).map(([x, y, z]) => [x, y, z * 2]), sides);
  add('Ramp', 'Material_Concrete', [[-60, 0, 0], [-20, 0, 0], [-20, 40, 0], [-60, 40, 0], [-20, 0, 25], [-20, 40, 25]], [[0, 3, 2, 1], [1, 2, 5, 4], [0, 4, 5, 3], [0, 1, 4], [2, 3, 5]]);
  writeFileSync(obj, lines.join('\n') + '\n');
  const blob = join(scratch, 'shapes.hkx');
  native(['collision', 'build', obj, '-o', blob, '--shape', 'hull', '-q']);
  return { obj, blob };
}

/** Compares the canvas with the picture that is kept beside the tests. UPDATE=1 keeps a new one. */
async function matches(viewer, name) {
  await viewer.page.setViewportSize({ width: 900, height: 560 });
  // The canvas has the size of its place, and that of the kept picture.
  await viewer.until(() => {
    const { canvas } = window.marrow.stage, { clientWidth, clientHeight } = canvas.parentElement;
    return innerWidth === 900 && innerHeight === 560 && canvas.width === clientWidth && canvas.height === clientHeight;
  });
  await viewer.page.evaluate(() => {
    window.marrow.store.set({ bone: null, hovered: null });
    window.marrow.store.tell();
    window.marrow.stage.frame();
  });
  const now = Buffer.from(await viewer.page.evaluate(() => window.marrow.stage.picture().then((blob) => blob.arrayBuffer()).then((data) => [...new Uint8Array(data)])));
  const kept = join(import.meta.dirname, 'reference', `${name}.png`);
  if (process.env.UPDATE) {
    mkdirSync(join(import.meta.dirname, 'reference'), { recursive: true });
    writeFileSync(kept, now);
  }
  const away = await differ(readFileSync(kept), now);
  writeFileSync(join(scratch, `${name}.png`), now);
  check(away < 0.004, `${name}: ${(100 * away).toFixed(2)} % of the pixels differ; see ${join(scratch, `${name}.png`)}`);
}

await runAll(browser);
