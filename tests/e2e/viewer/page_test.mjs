// SPDX-License-Identifier: MIT
// The page itself in a real browser: what it says, keeps, costs, and how it can be used.
//
//     node page_test.mjs MARROW PAGE [NAME]
import { createRequire } from 'node:module';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, corpus, kSkipped, native, runAll, scratch, startBrowser, test, useViewer } from './browser.mjs';
import { differ } from './pixels.mjs';
import { anvil, hkx, needsCorpus, sampleCollision } from './samples.mjs';

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
    await viewer.untilKept((files) => files.length === 1);
    await viewer.page.reload();
    await viewer.until(() => Boolean(window.marrow));
    const again = viewer.page.getByRole('button', { name: 'Continue with generic_male.xml' });
    await again.click();
    await viewer.until(() => window.marrow.store.state.files.some((file) => file.path === 'generic_male.xml'));
    await viewer.page.evaluate(() => window.marrow.store.set({ remember: false }));
    await viewer.untilKept((files) => files.length === 0);
    await viewer.page.reload();
    await viewer.until(() => Boolean(window.marrow));
    // Nothing tells that nothing will be offered: the page looks once, at its start.
    await viewer.untilKept((files) => files.length === 0);
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

test('the page has no accessibility violations, however wide it is', async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const [theme, width, height] of [['light', 420, 800], ['dark', 800, 900], ['light', 1400, 860]])
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
        check(violations.length === 0, `${theme}, ${width} wide, ${where}: ${JSON.stringify(violations, null, 1)}`);
      };
      const panel = async (name) => {
        await viewer.page.evaluate((right) => window.marrow.session.view.openRight(right), name);
        await viewer.drawn();
        await look(name);
      };
      // What moves takes the processor from axe.
      const stop = () => viewer.page.evaluate(() => window.marrow.store.set({ playing: false, world: { ...window.marrow.store.state.world, running: false } }));
      await stop();
      await look('first screen');
      await viewer.page.evaluate(() => window.marrow.session.clipEdits.reverse());
      await viewer.until(() => window.marrow.store.state.edits.length === 1);
      await viewer.page.evaluate(() => (window.marrow.session.view.openLeft('edits'), window.marrow.session.clipEdits.setRange({ from: 3, to: 9 })));
      await look('edits');
      for (const name of ['Edit', 'Events', 'View']) {
        await viewer.page.keyboard.press('Escape');
        await viewer.page.getByRole('button', { name, exact: true }).click();
        await look(`sheet ${name}`);
        await viewer.page.keyboard.press('Escape');
      }
      for (const name of ['inspect', 'compare', 'run']) await panel(name);
      await viewer.openFiles(['generic_male.xml', 'addon_hair_strand.xml'].map(anvil));
      await stop();
      for (const name of ['rig', 'check']) await panel(name);
      await viewer.openFiles([sampleCollision().blob]);
      await viewer.page.evaluate(() => window.marrow.session.view.selectBody(0));
      await panel('collision');
      await viewer.page.evaluate(() => window.marrow.session.view.setRecording(true));
      await look('film');
      await viewer.page.keyboard.press('Escape');
      await viewer.page.keyboard.press('?');
      await look('help');
    }, { theme, size: { width, height } });
});

test('a narrow page gives the picture its width; panels are drawers, and nothing overlaps', () =>
  withViewer(async (viewer) => {
    for (const [width, height] of [[420, 800], [800, 900], [1024, 768]]) {
      await viewer.page.setViewportSize({ width, height });
      await viewer.until((wide) => innerWidth === wide && window.marrow.store.state.narrow === wide <= 900, width);
      await viewer.drawn();
      const { stage, right, overlaps, wide } = await viewer.state(() => {
        const box = (query) => document.querySelector(query).getBoundingClientRect();
        const items = [...document.querySelectorAll('header > *, header .menu-holder > button')].filter((each) => each.offsetWidth > 0 && !each.contains(document.querySelector('header .menu')) && !each.classList.contains('grow'));
        const boxes = items.map((each) => each.getBoundingClientRect());
        const overlaps = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => a.left < b.right - 1 && b.left < a.right - 1).map(() => items[i].textContent || items[i].getAttribute('aria-label')));
        return { stage: box('.stage').width, right: Math.max(...boxes.map((each) => each.right)), overlaps, wide: document.documentElement.scrollWidth };
      });
      check(stage >= Math.min(width, 440), `${width}: the picture is ${stage} wide`);
      check(right <= width && wide <= width, `${width}: the header ends at ${right}, the page at ${wide}`);
      check(overlaps.length === 0, `${width}: ${overlaps.join()} overlap`);
      // The controls below the picture and those over it stay whole, apart from each other and within the page.
      const faults = await viewer.state(() => ['.controls', '.switches'].flatMap((query) => {
        const holder = document.querySelector(query), room = holder.getBoundingClientRect();
        const items = [...holder.children].filter((each) => each.offsetWidth > 0 && !each.classList.contains('grow')).map((each) => [each, each.getBoundingClientRect()]);
        const outside = items.filter(([each, box]) => box.left < room.left - 1 || box.right > room.right + 1 || each.scrollWidth > each.clientWidth + 2);
        const covered = items.filter(([, a], i) => items.some(([, b], k) => k > i && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1));
        return [...outside, ...covered].map(([each]) => each.textContent || each.getAttribute('aria-label'));
      }));
      check(faults.length === 0, `${width}: ${faults.join()} are cut or covered`);
      for (const name of ['View', 'Events', 'Edit']) {
        const opener = viewer.page.getByRole('button', { name, exact: true });
        await opener.click();
        const sheet = await viewer.page.locator('.sheet:not([hidden])').boundingBox();
        check(sheet.x >= 0 && sheet.x + sheet.width <= width && sheet.y >= 0 && sheet.y + sheet.height <= height && sheet.width > 240, `${width}: the sheet ${name} is at ${JSON.stringify(sheet)}`);
        await opener.click();
      }
      if (width > 900) continue;
      for (const [button, side] of [['Files and bones ([)', 'left'], ['Panels (])', 'right']]) {
        await viewer.page.getByRole('button', { name: button }).click();
        check(await viewer.page.locator(`aside.${side}`).isVisible(), `${width}: the drawer at the ${side} does not open`);
        const drawer = await viewer.page.locator(`aside.${side}`).boundingBox();
        check(drawer.width <= width - 50, `${width}: the drawer covers everything`);
      }
      check(!(await viewer.page.locator('aside.left').isVisible()), 'two drawers are open');
      await viewer.page.keyboard.press('Escape');
      check(!(await viewer.page.locator('aside.right').isVisible()), 'Escape does not close it');
    }
  }, { size: { width: 420, height: 800 } }));

test('what is seen stays below the switches, however low the picture is', () =>
  withViewer(async (viewer) => {
    const topOf = () => viewer.state(() => {
      const { stage, store } = window.marrow;
      store.set({ playing: false });
      stage.frame('front', true);
      stage.draw();
      const { bones } = store.state.subject.actor;
      return { highest: Math.min(...bones.flatMap((_, i) => (stage.isDrawn(i) ? [stage.project(i).y] : []))), switches: document.querySelector('.switches').getBoundingClientRect().bottom - stage.canvas.getBoundingClientRect().top };
    });
    for (const height of [800, 420]) {
      await viewer.page.setViewportSize({ width: 420, height });
      await viewer.until((high) => innerHeight === high && Math.abs(window.marrow.stage.canvas.height / devicePixelRatio - window.marrow.stage.canvas.parentElement.clientHeight) < 5, height);
      const { highest, switches } = await topOf();
      check(highest > switches, `${height}: bones begin at ${highest}, below the switches would be ${switches}`);
    }
  }, { size: { width: 420, height: 800 } }));

test('a finger turns the picture, two fingers zoom', () =>
  withViewer(async (viewer) => {
    const session = await viewer.context.newCDPSession(viewer.page);
    const eye = () => viewer.state(() => ({ at: window.marrow.stage.eye.camera.position.toArray(), far: window.marrow.stage.eye.camera.position.distanceTo(window.marrow.stage.eye.controls.target) }));
    await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, follow: false }));
    const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const before = await eye();
    await touch('touchStart', [200, 250]);
    for (let i = 1; i <= 5; ++i) await touch('touchMove', [200 + 16 * i, 250]);
    await touch('touchEnd');
    const turned = await eye();
    check(Math.hypot(...turned.at.map((value, k) => value - before.at[k])) > 0.3 && Math.abs(turned.far - before.far) < 0.01, JSON.stringify([before, turned]));
    await touch('touchStart', [180, 250], [240, 250]);
    for (let i = 1; i <= 5; ++i) await touch('touchMove', [180 - 10 * i, 250], [240 + 10 * i, 250]);
    await touch('touchEnd');
    const closer = await eye();
    check(closer.far < turned.far * 0.8, `${closer.far} after ${turned.far}`);
  }, { size: { width: 420, height: 800 }, isTouched: true }));

test('keys follow the order in which the page is read, and the speed of the keys is that of the list', () =>
  withViewer(async (viewer) => {
    const order = [];
    for (let i = 0; i < 26; ++i) {
      await viewer.page.keyboard.press('Tab');
      order.push(await viewer.state(() => ['header', '.left', '.stage', 'footer', '.right'].findIndex((query) => document.querySelector(query).contains(document.activeElement))));
    }
    const seen = order.filter((place) => place >= 0);
    check(seen.length > 20 && seen.every((place, i) => i === 0 || place >= seen[i - 1]), `the focus goes ${order.join()}`);
    await viewer.page.keyboard.press('+');
    check((await viewer.page.getByLabel('Speed', { exact: true }).inputValue()) === '2', 'the list of speeds stays');
  }));

test('script and library take less than a second of the processor until the first picture', async () => {
  // All that the page's own process takes: script, compiling the library, layout. Drawing is software here, in another.
  const session = await browser.newBrowserCDPSession();
  const taken = async () => (await session.send('SystemInfo.getProcessInfo')).processInfo.reduce((sum, { type, cpuTime }) => sum + (type === 'renderer' ? cpuTime : 0), 0);
  const before = await taken();
  const seconds = await withViewer(async (viewer) => {
    await viewer.until(() => window.marrow.stage.drawn > 0);
    return (await taken()) - before;
  });
  console.log(`        ${seconds.toFixed(2)} s of the processor`);
  // Not asserted closely: the time that a busy machine counts is not only ours.
  check(seconds > 0.05 && seconds < 3, `${seconds} s`);
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
