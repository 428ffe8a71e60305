// SPDX-License-Identifier: MIT
// The page itself in a real browser: what it says, keeps, costs, and how it can be used.
//
//     node page_test.mjs MARROW PAGE [NAME]
import { createRequire } from 'node:module';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, corpus, kSkipped, native, runAll, scratch, startBrowser, test, useViewer } from './browser.mjs';
import { differ } from './pixels.mjs';
import { anvil, hkx, needsCorpus } from './samples.mjs';

const browser = await startBrowser();
const withViewer = (body, options) => useViewer(browser, body, options);

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

test('.glb, annotation text and pictures come out of the menu', () =>
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
    const wide = await viewer.download('Picture for a mod page (1600 × 900)');
    check(wide.bytes.readUInt32BE(16) === 1600 && wide.bytes.readUInt32BE(20) === 900, 'the picture has another size');
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
      for (let i = 0; i < 5; ++i) {
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

await runAll(browser);
