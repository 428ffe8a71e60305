// SPDX-License-Identifier: MIT
// Bodies: meshes that the bones move, with their textures, whenever they come.
//
//     node bodies_test.mjs MARROW PAGE [NAME]
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, corpus, kSkipped, native, runAll, scratch, startBrowser, test, useViewer } from './browser.mjs';
import { character, hkx, needs } from './samples.mjs';

const browser = await startBrowser();
const withViewer = (body, options) => useViewer(browser, body, options);

test('the body of a .glb with a skeleton is drawn and moves', needs([character('body/skyrim-se/body1m_1.nif'), hkx('skyrim-se/bow_drawlight.hkx')], () =>
  withViewer(async (viewer) => {
    const glb = join(scratch, 'body.glb');
    native(['convert', character('body/skyrim-se/body1m_1.nif'), hkx('skyrim-se/bow_drawlight.hkx'), '--skeleton', hkx('skyrim-se/skeleton.hkx'), '-o', glb, '-q']);
    await viewer.openFiles([glb]);
    const moved = await viewer.state(() => {
      const { stage, store } = window.marrow;
      const at = (frame) => {
        store.set({ playing: false, frame });
        stage.draw();
        return stage.bodies[0].points().map((point) => point.toArray());
      };
      const [one, two] = [at(0), at(30)];
      return { worn: store.state.subject.worn.length, far: one.filter((point, i) => Math.hypot(...point.map((value, k) => value - two[i][k])) > 0.02).length, low: Math.min(...two.map((point) => point[2])), high: Math.max(...two.map((point) => point[2])) };
    });
    check(moved.worn === 1 && moved.far > 50 && moved.low > -0.3 && moved.high < 2.2, JSON.stringify(moved));
  })));

test('a body moves with the clip, and its shapes can be switched off', needs([character('body/skyrim-se/body1m_1.nif'), hkx('skyrim-se/bow_drawlight.hkx')], () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([hkx('skyrim-se/bow_drawlight.hkx'), hkx('skyrim-se/skeleton.hkx'), character('body/skyrim-se/body1m_1.nif')]);
    await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, frame: 0 }));
    const points = (frame) => viewer.page.evaluate((at) => {
      const { stage, store } = window.marrow;
      store.set({ frame: at });
      stage.draw();
      return stage.bodies[0].points().map((point) => point.toArray());
    }, frame);
    const [first, later] = [await points(0), await points(30)];
    const moved = first.filter((point, i) => Math.hypot(...point.map((value, k) => value - later[i][k])) > 0.02).length;
    check(moved > 50, `${moved} of ${first.length} points moved`);
    check(later.every((point) => point[2] > -0.3 && point[2] < 2.2 && Math.hypot(point[0], point[1]) < 1.6), 'a point is far from the figure');
    const box = viewer.page.locator('#panel-inspect').getByText('Bandit_Kilt');
    await box.click();
    check(await viewer.state(() => window.marrow.store.state.hidden.size === 1), 'the switch does nothing');
  })));

test('a body of Fallout 4 fits its skeleton, whose _skin bones no .hkx has', needs([character('body/fo4/MaleBody.nif'), hkx('fo4/skeleton.hkx')], () =>
  withViewer(async (viewer) => {
    await viewer.openFiles([hkx('fo4/Death1.hkx'), hkx('fo4/skeleton.hkx'), character('body/fo4/MaleBody.nif'), character('body/fo4/BaseMaleHead.nif')]);
    check((await viewer.state(() => window.marrow.store.state.subject.worn.length)) === 2, 'the bodies are not worn');
  })));

test('bodies without a .hkx stand together on a skeleton.nif', needs([character('body/skyrim-le/malebody_1.nif')], () =>
  withViewer(async (viewer) => {
    await viewer.openFiles(['skeleton_vanilla.nif', 'malebody_1.nif', 'malehands_1.nif', 'malehead.nif'].map((name) => character(`body/skyrim-le/${name}`)));
    const { kind, worn } = await viewer.state(() => {
      const { kind, worn } = window.marrow.store.state.subject;
      return { kind, worn: worn?.flatMap(({ shapes }) => shapes.map(({ name }) => name)) ?? [] };
    });
    check(kind === 'motion' && ['MaleUnderwearBody:0', 'HandMaleBig3rd', 'MaleHeadIMF'].every((name) => worn.includes(name)), `${kind}: ${worn.join()}`);
  })));

test('no NIF of the games is an empty floor', async () => {
  const folders = [join(corpus, 'nif'), ...['body/skyrim-se', 'body/skyrim-le', 'body/fo4', 'bhk'].map(character)].filter(existsSync);
  const files = folders.flatMap((folder) => readdirSync(folder).filter((name) => /\.nif$/i.test(name)).map((name) => join(folder, name)));
  if (files.length === 0) return kSkipped;
  await withViewer(async (viewer) => {
    const empty = [];
    for (const path of files) {
      await viewer.openFiles([path]);
      // Triangles of meshes, and bodies and bones: without them there is the floor, which is lines.
      const drawn = await viewer.state(() => {
        const { stage, store, session } = window.marrow;
        stage.draw();
        const { triangles } = stage.renderer.info.render;
        const { title, why } = store.state.subject;
        // Alone, as it is dropped.
        for (const { id } of [...store.state.files].slice(0, -1)) session.remove(id);
        return { triangles, why: title ? `${title}: ${why}` : '' };
      });
      if (drawn.triangles < 2) empty.push(`${path}: ${drawn.why || 'nothing is drawn'}`);
    }
    check(empty.length === 0, empty.join('\n'));
    console.log(`        ${files.length} files`);
  });
});

/** The texture that a body names, as a file: a DXT1 picture of four by four green pixels. */
function greenTexture(body) {
  const path = JSON.parse(native(['body', 'list', body, '--json']))[0].shapes[0].textures[0];
  const dds = Buffer.alloc(136);
  dds.write('DDS ', 0, 'latin1');
  for (const [at, value] of [[4, 124], [8, 0x1007], [12, 4], [16, 4], [20, 8], [76, 32], [80, 4], [108, 0x1000]]) dds.writeUInt32LE(value, at);
  dds.write('DXT1', 84, 'latin1');
  dds.writeUInt16LE(0x07e0, 128);
  dds.writeUInt16LE(0x07e0, 130);
  const texture = join(scratch, path.split(/[\\/]/).at(-1));
  writeFileSync(texture, dds);
  return texture;
}

test('a texture beside a body is on it', needs([character('body/skyrim-se/malehead.nif')], () =>
  withViewer(async (viewer) => {
    const texture = greenTexture(character('body/skyrim-se/malehead.nif'));
    await viewer.openFiles([character('body/skyrim-se/malehead.nif'), texture]);
    await viewer.page.evaluate(() => window.marrow.session.show(window.marrow.store.state.files.find((file) => file.path.endsWith('.nif')).id));
    const isBare = await viewer.state(() => !window.marrow.stage.renderer.getContext().getExtension('WEBGL_compressed_texture_s3tc'));
    if (isBare) return kSkipped;
    const green = () => viewer.page.evaluate(async () => {
      const blob = await window.marrow.stage.picture({ width: 200, height: 200 });
      const image = await createImageBitmap(blob), context = new OffscreenCanvas(200, 200).getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, 200, 200);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i + 1] > 60 && data[i + 1] > 2 * data[i] && data[i + 1] > 2 * data[i + 2]) ++count;
      return count;
    });
    await viewer.until(() => window.marrow.stage.bodies[0]?.textures.length === 1, undefined, 30);
    await viewer.page.evaluate(() => window.marrow.store.set({ bones: false }));
    const seen = await green();
    check(seen > 2000, `${seen} pixels of 40000 have the colour of the texture`);
    await viewer.page.evaluate(() => window.marrow.store.set({ bodies: false }));
    check((await green()) === 0, 'they have it without the body too');
  })));

test('a body that comes later is worn, a texture after it is on it, and the clip goes on', needs([character('body/skyrim-se/malehead.nif'), hkx('skyrim-se/bow_drawlight.hkx')], () =>
  withViewer(async (viewer) => {
    const head = character('body/skyrim-se/malehead.nif');
    await viewer.openFiles([hkx('skyrim-se/bow_drawlight.hkx'), hkx('skyrim-se/skeleton.hkx')]);
    await viewer.page.evaluate(() => window.marrow.store.set({ playing: false, frame: 20 }));
    const shown = () => viewer.state(() => {
      const { store, stage } = window.marrow;
      const { subject, frame, files } = store.state;
      return { clip: subject.clip !== null, frame, worn: subject.worn?.map(({ file }) => files.find(({ id }) => id === file).path), title: subject.title, textures: stage.bodies.reduce((sum, each) => sum + each.textures.length, 0) };
    });
    await viewer.openFiles([head]);
    const body = await shown();
    check(body.clip && body.frame === 20 && body.worn.join() === 'malehead.nif', JSON.stringify(body));
    await viewer.openFiles([greenTexture(head)]);
    const dressed = await shown();
    check(dressed.clip && dressed.frame === 20 && dressed.worn.length === 1, JSON.stringify(dressed));
    if (await viewer.state(() => !window.marrow.stage.renderer.getContext().getExtension('WEBGL_compressed_texture_s3tc'))) return kSkipped;
    await viewer.until(() => window.marrow.stage.bodies[0]?.textures.length === 1, undefined, 30);
  })));

await runAll(browser);
