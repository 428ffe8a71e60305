// SPDX-License-Identifier: MIT
// What is edited on the page cannot get lost: it is listed, downloaded file by file, kept over a reload, and taken back.
//
//     node edits_test.mjs MARROW PAGE [NAME]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, native, runAll, scratch, startBrowser, test, useViewer } from './browser.mjs';
import { anvil, sampleBvh, sampleClips, sampleCollision } from './samples.mjs';

const browser = await startBrowser();
const withViewer = (body, options) => useViewer(browser, body, options);

/** Clicks what downloads something and returns it. */
async function downloaded(viewer, act) {
  const [file] = await Promise.all([viewer.page.waitForEvent('download'), act()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}
const infoOf = (path) => JSON.parse(native(['info', path, '--json']))[0];
const openSample = async (viewer) => {
  const { walk, skeleton } = sampleClips(viewer);
  const paths = [await walk, await skeleton];
  await viewer.openFiles(paths);
  await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, frame: 6 }));
  return paths;
};
const setField = async (viewer, field, value) => {
  const box = viewer.page.locator(`input[type=number][data-field="${field}"]`);
  await box.fill(String(value));
  await box.press('Enter');
};

test('a tuned addon is downloaded tuned, the base as it came, and both are known apart', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles(['generic_male.xml', 'addon_hair_strand.xml'].map(anvil));
    await viewer.page.evaluate(() => {
      const { store } = window.marrow;
      const { rig, subject } = store.state;
      const modifier = rig.modifiers.findIndex((each) => each.type === 'BallJointBoneModifier' && subject.actor.bones[each.bone].name === 'T_Hair');
      store.set({ modifier, world: { ...store.state.world, running: false } });
    });
    await setField(viewer, 'MechanicalFriction.0', 12.5);
    await viewer.until(() => window.marrow.store.state.edits.length === 1);
    check(await viewer.state(() => window.marrow.session.hasUnsaved), 'the edit does not count');
    const base = await viewer.download('generic_male.xml');
    check(base.bytes.equals(readFileSync(anvil('generic_male.xml'))), 'the base changed');
    check(await viewer.state(() => window.marrow.session.hasUnsaved), 'downloading the base counts as saving the addon');
    // The other files of the stack can be shown meanwhile: nothing is forgotten.
    await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      session.stacks.toggle(store.state.files.find((file) => file.path.includes('hair')).id);
    });
    await viewer.page.getByRole('tab', { name: 'Edits' }).click();
    const addon = await downloaded(viewer, () => viewer.page.getByRole('button', { name: 'Download addon_hair_strand.xml' }).click());
    const out = join(scratch, addon.name);
    writeFileSync(out, addon.bytes);
    const { differences } = JSON.parse(native(['diff', anvil('addon_hair_strand.xml'), out, '--json'], [0, 3]));
    check(differences.length === 1 && differences[0].field.includes('MechanicalFriction') && String(differences[0].right).includes('12.5'), JSON.stringify(differences));
    check(!(await viewer.state(() => window.marrow.session.hasUnsaved)), 'it still counts as unsaved');
  }));

test('several edited files come out in one zip', () =>
  withViewer(async (viewer) => {
    await openSample(viewer);
    await viewer.page.evaluate(async () => {
      const { session, store } = window.marrow;
      await session.clipEdits.reverse();
      const skeleton = store.state.files.find((file) => file.path.includes('skeleton'));
      await session.edits.replace(skeleton.id, 'a copy', await session.bytes(skeleton.id));
    });
    await viewer.page.getByRole('tab', { name: 'Edits (2)' }).click();
    const zip = await downloaded(viewer, () => viewer.page.getByRole('button', { name: 'Download all 2 (zip)' }).click());
    const out = join(scratch, 'edited.zip');
    writeFileSync(out, zip.bytes);
    // The page reads what it wrote.
    await viewer.openFiles([out]);
    const paths = await viewer.state(() => window.marrow.store.state.files.map((file) => file.path).slice(-2));
    check(paths.join() === 'skeleton.hkx,walk.hkx', paths.join());
    check(!(await viewer.state(() => window.marrow.session.hasUnsaved)), 'the zip does not count as a download');
  }));

test('edits survive a reload, and can be dropped', () =>
  withViewer(async (viewer) => {
    const [walk] = await openSample(viewer);
    await viewer.page.evaluate(() => window.marrow.session.clipEdits.trim(5, 20));
    await viewer.until(() => window.marrow.store.state.subject.clip.frameCount === 16);
    await kept(viewer, 'trim');
    await reloaded(viewer);
    await viewer.until(() => window.marrow.store.state.subject.clip?.frameCount === 16);
    const labels = await viewer.state(() => window.marrow.store.state.edits.map((each) => [each.isUnsaved, ...each.labels]));
    check(JSON.stringify(labels) === '[[true,"trim to frames 5 to 20"]]', JSON.stringify(labels));
    await viewer.page.getByRole('tab', { name: 'Edits (1)' }).click();
    await viewer.page.getByRole('button', { name: 'Drop the edits of walk.hkx' }).click();
    await viewer.until(() => window.marrow.store.state.subject.clip?.frameCount === 31 && window.marrow.store.state.edits.length === 0);
    const { bytes } = await viewer.download('This file');
    check(bytes.equals(readFileSync(walk)), 'the file is not as it came');
  }));

test('a file with edits that were not downloaded is closed only if that is said', () =>
  withViewer(async (viewer) => {
    await openSample(viewer);
    await viewer.page.evaluate(() => window.marrow.session.clipEdits.reverse());
    await viewer.until(() => window.marrow.store.state.edits.length === 1);
    const close = () => viewer.page.getByRole('button', { name: 'Close this file' }).click();
    const isOpen = () => viewer.state(() => window.marrow.store.state.files.some((file) => file.path === 'walk.hkx'));
    const dialog = viewer.page.getByRole('dialog', { name: 'Close the file' });
    await close();
    check(/walk\.hkx has edits/.test(await dialog.innerText()), await dialog.innerText());
    // Keys of the page do not reach through it.
    await viewer.page.keyboard.press('n');
    check(!(await viewer.state(() => window.marrow.store.state.names)), 'a key acts behind the dialog');
    await viewer.page.keyboard.press('Escape');
    check((await isOpen()) && (await viewer.state(() => window.marrow.store.state.edits.length === 1)) && (await dialog.count()) === 0, 'leaving the dialog is not leaving all as it is');
    await close();
    const saved = await downloaded(viewer, () => dialog.getByRole('button', { name: 'Download and close' }).click());
    check(saved.name === 'walk.hkx', saved.name);
    await viewer.until(() => !window.marrow.store.state.files.some((file) => file.path === 'walk.hkx'));
    // Without edits it does not ask.
    await close();
    await viewer.until(() => window.marrow.store.state.files.length === 0);
    check((await dialog.count()) === 0, 'it asks about a file that nobody edited');
  }));

test('the sample stays when something is dropped, if somebody edited it', () =>
  withViewer(async (viewer) => {
    await viewer.page.evaluate(() => window.marrow.session.clipEdits.reverse());
    await viewer.until(() => window.marrow.store.state.edits.length === 1);
    await viewer.openFiles([anvil('generic_male.xml')]);
    const { names, unsaved } = await viewer.state(() => ({ names: window.marrow.store.state.edits.map(({ file }) => window.marrow.session.entry(file).path), unsaved: window.marrow.session.hasUnsaved }));
    check(unsaved && names.length === 1 && /walk\.hkx$/.test(names[0]), JSON.stringify(names));
    await viewer.page.evaluate(() => window.marrow.session.history.undo());
    await viewer.openFiles([anvil('addon_sword.xml')]);
    check(await viewer.state(() => !window.marrow.session.hasUnsaved && window.marrow.store.state.edits.length === 0), 'undo does not reach it');
  }));

/** Waits until what was edited lies in the browser's storage. */
const kept = (viewer, label) => viewer.untilKept((files, words) => files.some(({ labels }) => labels.some((each) => each.includes(words))), label);
const reloaded = async (viewer) => {
  viewer.page.once('dialog', (dialog) => dialog.accept());
  await viewer.page.reload();
  await viewer.until(() => Boolean(window.marrow));
};

test('a page that was made with its files keeps edits over a reload; edits of other files wait, and can be opened', async () => {
  const { walk, skeleton } = await useViewer(browser, async (viewer) => {
    const sample = sampleClips(viewer);
    return { walk: await sample.walk, skeleton: await sample.skeleton };
  });
  const made = join(scratch, 'made.html');
  native(['view', walk, skeleton, '-o', made, '--no-open', '-q']);
  await withViewer(async (viewer) => {
    await viewer.page.evaluate(() => window.marrow.session.clipEdits.trim(4, 20));
    await viewer.until(() => window.marrow.store.state.subject.clip.frameCount === 17);
    await kept(viewer, 'trim');
    await reloaded(viewer);
    await viewer.until(() => window.marrow.store.state.subject.clip?.frameCount === 17);
    check(await viewer.state(() => window.marrow.session.hasUnsaved), 'the edit does not count as unsaved');
    // Another page in the same browser neither loses them nor takes them.
    const other = join(scratch, 'other.html');
    native(['view', anvil('generic_male.xml'), '-o', other, '--no-open', '-q']);
    viewer.page.once('dialog', (dialog) => dialog.accept());
    viewer.allowed = pathToFileURL(other).href;
    await viewer.page.goto(viewer.allowed);
    await viewer.until(() => window.marrow?.store.state.waiting.length === 1);
    check(await viewer.state(() => window.marrow.store.state.edits.length === 0 && window.marrow.store.state.files.length === 1), 'they are on another file');
    await viewer.page.getByRole('tab', { name: /^Edits/ }).click();
    check(await viewer.page.getByText('trim to frames 4 to 20').isVisible(), 'it does not say what waits');
    await viewer.page.getByRole('button', { name: 'Open the earlier edits of walk.hkx' }).click();
    await viewer.until(() => window.marrow.store.state.subject.clip?.frameCount === 17);
    check(await viewer.state(() => window.marrow.store.state.waiting.length === 0 && window.marrow.store.state.edits.length === 1), 'they wait although they are open');
  }, { file: made });
});

test('two pages that are open do not overwrite each other\'s edits', () =>
  withViewer(async (viewer) => {
    await openSample(viewer);
    await viewer.page.evaluate(() => window.marrow.session.clipEdits.trim(4, 20));
    await kept(viewer, 'trim');
    const second = await viewer.again();
    check(await second.state(() => window.marrow.store.state.sample), 'a page takes edits of one that is open');
    await openSample(second);
    await second.page.evaluate(() => window.marrow.session.clipEdits.reverse());
    await kept(second, 'reverse');
    await kept(viewer, 'trim');
    await reloaded(viewer);
    await viewer.until(() => window.marrow.store.state.subject.clip?.frameCount === 17);
    const labels = await viewer.state(() => window.marrow.store.state.edits.map((each) => each.labels.join()));
    check(labels.join() === 'trim to frames 4 to 20', JSON.stringify(labels));
  }));

test('edits of a page that closes wait in one that is open', () =>
  withViewer(async (viewer) => {
    await openSample(viewer);
    await viewer.page.evaluate(() => window.marrow.session.clipEdits.trim(4, 20));
    await kept(viewer, 'trim');
    const second = await viewer.again();
    check(await second.state(() => window.marrow.store.state.waiting.length === 0), 'edits of an open page wait');
    await viewer.page.close();
    await second.until(() => window.marrow.store.state.waiting.length === 1);
    check(await second.state(() => window.marrow.store.state.waiting[0].edited[0].kept.labels.join() === 'trim to frames 4 to 20'), 'other edits wait');
  }));

test('the clip is cut at the handles of the timeline, as the program cuts it', () =>
  withViewer(async (viewer) => {
    const [walk] = await openSample(viewer);
    const lane = await viewer.page.locator('.lane').boundingBox();
    const drag = async (end, share) => {
      const box = await viewer.page.locator(`.trim.${end}`).boundingBox();
      await viewer.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await viewer.page.mouse.down();
      await viewer.page.mouse.move(lane.x + lane.width * share, box.y + 4, { steps: 6 });
      await viewer.page.mouse.up();
    };
    await drag('from', 0.2);
    await drag('to', 0.8);
    const range = await viewer.state(() => window.marrow.store.state.range);
    check(range && range.from === 6 && range.to === 24, JSON.stringify(range));
    await viewer.page.getByRole('button', { name: 'Trim to 6 – 24' }).click();
    await viewer.until(() => window.marrow.store.state.subject.clip.frameCount === 19);
    const { bytes } = await viewer.download('This file');
    const out = join(scratch, 'trimmed.hkx');
    native(['clip', 'trim', walk, '--from-frame', '6', '--to-frame', '24', '-o', out, '-q']);
    check(bytes.equals(readFileSync(out)), 'the bytes are not those of the program');
    await viewer.page.keyboard.press('Control+z');
    await viewer.until(() => window.marrow.store.state.subject.clip.frameCount === 31);
    check((await viewer.download('This file')).bytes.equals(readFileSync(walk)), 'undo does not give the file back');
  }));

test('loop, speed and reverse are what the program makes of them', () =>
  withViewer(async (viewer) => {
    const [walk, skeleton] = await openSample(viewer);
    for (const [button, words, frames] of [['Make it loop', ['loop', walk, '--skeleton', skeleton]], ['Reverse', ['reverse', walk]], ['Set the speed', ['speed', walk, '--factor', '2']]]) {
      await viewer.page.getByRole('button', { name: 'Edit', exact: true }).click();
      await viewer.page.getByRole('button', { name: button, exact: true }).click();
      await viewer.until(() => window.marrow.store.state.edits.length === 1);
      await viewer.page.keyboard.press('Escape');
      const out = join(scratch, 'edited.hkx');
      native(['clip', ...words, '-o', out, '-q']);
      const { bytes } = await viewer.download('This file');
      check(bytes.equals(readFileSync(out)), `${button}: the bytes are not those of the program`);
      check(frames === undefined || infoOf(out).clips[0].frames === frames, button);
      await viewer.page.evaluate(() => window.marrow.session.history.undo());
      await viewer.until(() => window.marrow.store.state.edits.length === 0);
    }
  }));

test('a bone is turned at a frame and fades out of that', () =>
  withViewer(async (viewer) => {
    const [walk, skeleton] = await openSample(viewer);
    const name = await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      const { bones } = store.state.subject.actor;
      const bone = bones.findIndex((each) => /R UpperArm/.test(each.name));
      session.view.selectBone(bone);
      return session.clipEdits.turnBone(bones[bone].name, 15, [0, 0, 40], 0.1).then(() => bones[bone].name);
    });
    await viewer.until(() => window.marrow.store.state.edits.length === 1);
    const { bytes } = await viewer.download('This file');
    const out = join(scratch, 'turned.hkx');
    writeFileSync(out, bytes);
    const rowsAt = (path) => native(['sample', path, '--frames', '15,0', '--skeleton', skeleton]).trim().split('\n').slice(1).map((line) => line.split(','));
    const turned = rowsAt(out).map((row, i) => [row, rowsAt(walk)[i]]).filter(([a, b]) => Math.abs(a.slice(5, 9).reduce((sum, each, k) => sum + Number(each) * Number(b[5 + k]), 0)) < 0.999);
    check(turned.length === 1 && turned[0][0][0] === '15', `${turned.length} rotations of ${name} changed: ${JSON.stringify(turned.slice(0, 3))}`);
  }));

test('a comparison goes on when one of its clips is edited', () =>
  withViewer(async (viewer) => {
    const { walk, skeleton, other } = sampleClips(viewer);
    await viewer.openFiles([await walk, await skeleton, await other]);
    await viewer.page.evaluate(async () => {
      const { session, store } = window.marrow;
      const find = (path) => store.state.files.find((file) => file.path === path).id;
      await session.show(find('walk.hkx'));
      await session.compare(find('other.hkx'));
      store.set({ playing: false, right: 'inspect' });
    });
    const worst = () => viewer.state(() => window.marrow.store.state.comparison?.bones[0].degrees ?? -1);
    const before = await worst();
    check(before > 1, `${before} degrees`);
    // What was mirrored becomes what it is compared with: nothing differs any more.
    await viewer.page.evaluate(async () => {
      const { session, store } = window.marrow;
      const [mine, theirs] = ['walk.hkx', 'other.hkx'].map((path) => store.state.files.find((file) => file.path === path).id);
      await session.edits.replace(mine, 'take the other', await session.bytes(theirs));
    });
    await viewer.until(() => window.marrow.store.state.comparison?.bones[0].degrees < 1e-3);
    check(await viewer.state(() => window.marrow.store.state.right === 'inspect'), 'the panel jumps');
    await viewer.page.evaluate(() => window.marrow.session.history.undo());
    await viewer.until((degrees) => Math.abs((window.marrow.store.state.comparison?.bones[0].degrees ?? -1) - degrees) < 1e-3, before);
    // The other one is edited.
    await viewer.page.evaluate(async () => {
      const { session, store } = window.marrow;
      const [mine, theirs] = ['walk.hkx', 'other.hkx'].map((path) => store.state.files.find((file) => file.path === path).id);
      await session.edits.replace(theirs, 'take this', await session.bytes(mine));
    });
    await viewer.until(() => window.marrow.store.state.comparison?.bones[0].degrees < 1e-3);
  }));

test('what is edited in BVH, which nothing writes, comes out as glTF', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([sampleBvh()]);
    const edits = (count) => viewer.until((wanted) => (window.marrow.store.state.edits[0]?.labels.length ?? 0) === wanted, count);
    await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      store.set({ playing: false });
      session.annotate('add an event', [{ text: 'Hello', time: 0.1, track: 0 }]);
    });
    await edits(1);
    const annotated = await viewer.download('This file');
    check(annotated.name === 'wave.glb', annotated.name);
    await viewer.page.evaluate(() => window.marrow.session.clipEdits.turnBone('Spine', 3, [0, 0, 30], 0.1));
    await edits(2);
    await viewer.page.evaluate(() => window.marrow.session.clipEdits.trim(0, 5));
    await edits(3);
    const { name, bytes } = await viewer.download('This file');
    const out = join(scratch, name);
    writeFileSync(out, bytes);
    const [{ format, clips }] = JSON.parse(native(['info', out, '--json']));
    check(name === 'wave.glb' && format === 'glb' && clips[0].frames === 6 && clips[0].annotations === 1, JSON.stringify([name, format, clips]));
    for (let left = 2; left >= 0; --left) {
      await viewer.page.evaluate(() => window.marrow.session.history.undo());
      await edits(left);
    }
    const back = await viewer.download('This file');
    check(back.name === 'wave.bvh' && back.bytes.equals(readFileSync(sampleBvh())), 'without edits it is not as it came');
  }));

test('the first drag of a slider moves on with the mouse', () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([anvil('every_modifier.xml')]);
    await viewer.page.evaluate(() => {
      const { store } = window.marrow;
      store.set({ modifier: store.state.rig.modifiers.findIndex((each) => each.type === 'BallJointBoneModifier'), world: { ...store.state.world, running: false } });
    });
    const slider = viewer.page.locator('input[type=range][data-field="MechanicalFriction.0"]');
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox();
    const seen = new Set();
    await viewer.page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
    await viewer.page.mouse.down();
    for (let i = 0; i <= 8; ++i) {
      await viewer.page.mouse.move(box.x + box.width * (0.2 + 0.07 * i), box.y + box.height / 2);
      seen.add(await viewer.state(() => window.marrow.store.state.rig.rig.field(window.marrow.store.state.modifier, 'MechanicalFriction')[0]));
    }
    await viewer.page.mouse.up();
    check(seen.size >= 8, `only ${seen.size} values while it was dragged`);
    const labels = await viewer.state(() => window.marrow.store.state.edits[0].labels);
    check(labels.length === 1, `one drag is ${labels.length} edits`);
  }));

test('a preset on a skeleton that cannot hold it is undone, and comes out as a sidecar', () =>
  withViewer(async (viewer) => {
    await openSample(viewer);
    await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      return session.tuner.applyPreset('chain', store.state.subject.actor.bones.find((bone) => bone.name.includes('L UpperArm')).name);
    });
    await viewer.until(() => window.marrow.store.state.rig !== null && window.marrow.store.state.edits.length === 1);
    await viewer.page.getByRole('tab', { name: 'Edits (1)' }).click();
    const saved = await downloaded(viewer, () => viewer.page.getByRole('button', { name: 'Download skeleton.hkx' }).click());
    check(saved.name === 'skeleton_modifiers.json' && JSON.parse(saved.bytes.toString()).modifiers.length > 0, saved.name);
    await viewer.page.evaluate(() => window.marrow.session.history.undo());
    await viewer.until(() => window.marrow.store.state.rig === null && window.marrow.store.state.edits.length === 0);
  }));

test('mass, material, layer and motion of a body are set in its panel', () =>
  withViewer(async (viewer) => {
    const { blob } = sampleCollision();
    await viewer.openFiles([blob]);
    await viewer.page.evaluate(() => window.marrow.session.view.selectBody(0));
    await viewer.page.getByLabel('Motion', { exact: true }).selectOption('dynamic');
    await viewer.until(() => window.marrow.store.state.subject.systems[0].bodies[0].motion === 'dynamic');
    const mass = viewer.page.getByLabel('Mass, kg');
    await mass.fill('7');
    await mass.press('Enter');
    await viewer.until(() => Math.abs(window.marrow.store.state.subject.systems[0].bodies[0].mass - 7) < 0.1);
    const material = viewer.page.getByLabel('Material', { exact: true });
    await material.fill('Material_Metal');
    await material.press('Enter');
    await viewer.until(() => window.marrow.store.state.subject.systems[0].bodies[0].material === 'Material_Metal');
    const { bytes } = await viewer.download('This file');
    const out = join(scratch, 'bodies.hkx');
    writeFileSync(out, bytes);
    const [system] = JSON.parse(native(['collision', 'list', out, '--json']));
    check(system.bodies[0].motion === 'dynamic' && Math.abs(system.bodies[0].mass - 7) < 0.1 && system.bodies[0].material === 'Material_Metal', JSON.stringify(system.bodies[0]));
    check(system.bodies[1].motion !== 'dynamic', 'another body changed');
    const legend = await viewer.page.locator('.swatches').innerText();
    check(legend.includes('Material_Metal'), `the legend says ${legend}`);
    const html = await viewer.page.locator('.swatches').innerHTML();
    check(html.includes('Material_<wbr>Metal'), `long names break anywhere: ${html}`);
  }));

await runAll(browser);
