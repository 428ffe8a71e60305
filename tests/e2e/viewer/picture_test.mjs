// SPDX-License-Identifier: MIT
// The picture in a real browser: drawn as it was, and taken for the documentation.
//
//     node picture_test.mjs MARROW PAGE [NAME]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, examples, native, runAll, scratch, startBrowser, test, useViewer } from './browser.mjs';
import { differ } from './pixels.mjs';
import { anvil, hkx, sampleClips, sampleCollision } from './samples.mjs';

const browser = await startBrowser();
const withViewer = (body, options) => useViewer(browser, body, options);

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

/** The sample's walk and its mirrored twin, open and standing at a frame. */
async function openWalks(viewer) {
  const { walk, skeleton, other } = sampleClips(viewer);
  await viewer.openFiles([await walk, await skeleton, await other]);
  await viewer.page.evaluate(() => {
    const { session, store } = window.marrow;
    return session.show(store.state.files.find((file) => file.path === 'walk.hkx').id).then(() => store.set({ playing: false, frame: 9 }));
  });
}

test('two clips side by side are drawn as they were', () =>
  withViewer(async (viewer) => {
    await openWalks(viewer);
    await viewer.page.evaluate(() => {
      const { session, store } = window.marrow;
      session.view.compareHow('side');
      return session.compare(store.state.files.find((file) => file.path === 'other.hkx').id).then(() => store.set({ playing: false, frame: 9 }));
    });
    await matches(viewer, 'side_by_side');
    await viewer.page.evaluate(() => window.marrow.session.view.compareHow('overlay'));
    await matches(viewer, 'overlaid');
  }, { isSeen: true }));

test('foot contacts, a way, a ruler and axes are drawn as they were', () =>
  withViewer(async (viewer) => {
    await openWalks(viewer);
    await viewer.page.evaluate(async () => {
      const { session, store } = window.marrow;
      const find = (pattern) => store.state.subject.actor.bones.findIndex((bone) => pattern.test(bone.name));
      store.set({ bodies: false });
      await session.toggleContacts();
      session.view.toggleTrail(find(/L Toe0/));
      session.view.toggleRuler();
      session.view.measure(find(/L Hand/));
      session.view.measure(find(/R Hand/));
    });
    check(await viewer.state(() => window.marrow.store.state.contacts.some(({ from, to }) => from <= 9 && to >= 9)), 'no foot stands at this frame');
    await matches(viewer, 'marks');
  }, { isSeen: true }));

test('rings around a bone are drawn as they were', () =>
  withViewer(async (viewer) => {
    await openWalks(viewer);
    const bone = await viewer.state(() => window.marrow.store.state.subject.actor.bones.findIndex((each) => /R UpperArm/.test(each.name)));
    await viewer.page.evaluate(() => window.marrow.session.view.togglePosing());
    await matches(viewer, 'rings', bone);
  }, { isSeen: true }));

test('bent joints are drawn as they were', () =>
  withViewer(async (viewer) => {
    const { blob } = sampleCollision();
    const joined = join(scratch, 'joined.hkx');
    native(['collision', 'add-joint', blob, '--body', '1', '--to', '0', '--kind', 'ragdoll', '--pivot', '60,15,0', '--axis', '0,0,1', '--normal', '1,0,0', '--twist', '-20,20', '--cone', '30', '--plane', '-25,25', '-o', joined, '-q']);
    await viewer.openFiles([joined]);
    await viewer.page.evaluate(() => window.marrow.session.view.bend(1, window.marrow.stage.joints.within(1, [0, 1, 0])));
    await matches(viewer, 'bent_joint');
  }, { isSeen: true }));

test('pictures for the documentation', async () => {
  const folder = process.env.DOCS ? join(examples, '../docs/viewer') : join(scratch, 'docs');
  mkdirSync(folder, { recursive: true });
  for (const theme of ['light', 'dark'])
    await withViewer(async (viewer) => {
      const shoot = async (name) => {
        await viewer.page.mouse.move(640, 710);
        await viewer.drawn();
        await viewer.page.screenshot({ path: join(folder, `${name}_${theme}.png`) });
      };
      await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, frame: 22 }));
      await shoot('first_screen');
      // A clip with its curves.
      const { walk, skeleton, other } = sampleClips(viewer);
      // As splines, so that there are knots to see.
      mkdirSync(join(scratch, 'splines'), { recursive: true });
      const splines = join(scratch, 'splines/walk.hkx');
      native(['compress', await walk, '-o', splines, '-q']);
      const clips = [splines, await skeleton, await other];
      await viewer.openFiles(clips);
      await viewer.page.evaluate(() => {
        const { session, store } = window.marrow;
        return session.show(store.state.files.find((file) => file.path === 'walk.hkx').id).then(() =>
          store.set({ playing: false, frame: 9, curves: true, left: 'bones', bone: store.state.subject.actor.bones.findIndex((bone) => bone.name.includes('L Thigh')) }))
          .then(() => (window.marrow.store.tell(), window.marrow.store.set({ bone: null }), window.marrow.stage.frame('free'), window.marrow.store.set({ bone: window.marrow.store.state.subject.actor.bones.findIndex((bone) => bone.name.includes('L Thigh')) })));
      });
      await shoot('clip');
      await viewer.page.evaluate(() => {
        const { session, store } = window.marrow;
        store.set({ curves: false, bone: null, left: 'files', rootMotion: false });
        window.marrow.session.view.compareHow('side');
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
        store.set({ bone: null });
        stage.frame('free');
        stage.orbit(-20, 0, 1);
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

/** Compares the canvas with the picture that is kept beside the tests; `bone` is selected. UPDATE=1 keeps a new one. */
async function matches(viewer, name, bone = null) {
  await viewer.page.setViewportSize({ width: 900, height: 560 });
  // The canvas has the size of its place, and that of the kept picture.
  await viewer.until(() => {
    const { canvas } = window.marrow.stage, { clientWidth, clientHeight } = canvas.parentElement;
    return innerWidth === 900 && innerHeight === 560 && canvas.width === clientWidth && canvas.height === clientHeight;
  });
  await viewer.page.evaluate((selected) => {
    window.marrow.store.set({ bone: selected, hovered: null });
    window.marrow.store.tell();
    window.marrow.stage.frame(null, true);
  }, bone);
  // What is on the canvas, with the rings that pictures for downloading leave out.
  const now = Buffer.from(await viewer.page.evaluate(async () => {
    const { canvas } = window.marrow.stage;
    window.marrow.stage.draw();
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
    return [...new Uint8Array(await blob.arrayBuffer())];
  }));
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
