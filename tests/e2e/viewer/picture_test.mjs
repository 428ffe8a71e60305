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
