// SPDX-License-Identifier: MIT
// The library as wasm against the same library as a program: the module that is inside the page, run in node.
//
//     node wasm_test.mjs MARROW PAGE [NAME]
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { check, corpus, examples, golden, hasCorpus, kSkipped, native, page, root, runAll, scratch, skip, test } from './browser.mjs';

/** The part that opens common files; and all of it, so that it does not grow unnoticed. */
const kMostBytes = 900 * 1000, kMostBytesOfAll = 1900 * 1000;

if (!page || !existsSync(page)) skip('the page has not been built; run make viewer');
const html = readFileSync(page, 'utf8');
const [packed, packedRest] = ['wasm', 'rest'].map((name) => Buffer.from(new RegExp(`<script id="marrow-${name}"[^>]*>([^<]*)<`).exec(html)[1], 'base64'));
let restsLoaded = 0;
const rest = () => (++restsLoaded, new WebAssembly.Module(gunzipSync(packedRest)));

/** The loader of the viewer itself. */
async function startMarrow() {
  const bundler = join(root, 'viewer/node_modules/esbuild/lib/main.js');
  if (!existsSync(bundler)) skip('esbuild is not installed; run scripts/setup viewer');
  const { default: esbuild } = await import(bundler);
  const outfile = join(scratch, 'abi.mjs');
  await esbuild.build({ entryPoints: [join(root, 'viewer/src/abi/marrow.ts')], bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'error' });
  const { Marrow } = await import(outfile);
  return Marrow.start(gunzipSync(packed), rest);
}
const marrow = await startMarrow();
const load = (path) => marrow.load(readFileSync(path), path);
const kModelSpace = 1;
const clips = hasCorpus
  ? ['skyrim-le', 'skyrim-se', 'fo4'].flatMap((game) =>
      readdirSync(join(corpus, 'hkx', game)).filter((name) => !name.includes('skeleton')).map((name) => [game, join(corpus, 'hkx', game, name)]))
  : [];

test(`the part that opens common files is below ${kMostBytes / 1000} KB after gzip -9`, () => {
  check(packed.length < kMostBytes, `it has ${packed.length} bytes`);
  check(packed.length + packedRest.length < kMostBytesOfAll, `all of it has ${packed.length + packedRest.length} bytes`);
  console.log(`        ${packed.length} bytes, and ${packedRest.length} that are loaded when they are needed`);
});

test('the sample is opened, played and written without the rest of the library, and the rest is loaded once', () => {
  check(restsLoaded === 0, 'starting needs the rest');
  const files = JSON.parse(/<script id="marrow-sample"[^>]*>([^<]*)</.exec(html)[1]);
  const [clip, skeleton] = ['walk.hkx', 'skeleton.hkx'].map((name) => marrow.load(Buffer.from(files.find((file) => file.path.endsWith(name)).data, 'base64'), name));
  const bones = skeleton.bones(skeleton.mainSkeleton()).length;
  const sampler = clip.sampler(0, skeleton, skeleton.mainSkeleton());
  sampler.pose(3.5, 1, new Float32Array(bones * 10));
  marrow.run('convert', { format: 'hkx' }, [{ role: 'file', name: 'walk.hkx', document: clip }]);
  check(restsLoaded === 0 || packedRest.length === 0, 'the sample needs the rest');
  const { report } = marrow.run('collision materials', {}, []);
  check(Object.values(report)[0].length > 50, 'an operation of the rest does not run');
  marrow.run('collision layers', {}, []);
  check(restsLoaded === (packedRest.length > 0 ? 1 : 0), `the rest was loaded ${restsLoaded} times`);
  for (const handle of [sampler, clip, skeleton]) handle.release();
});

test('whole-clip decoding gives the bits of the program', () => {
  if (clips.length === 0) return kSkipped;
  let compared = 0;
  for (const [, path] of clips) {
    // The program decodes and stores every frame as floats; here they are only read.
    const out = join(scratch, 'frames.hkx');
    native(['compress', path, '--uncompressed', '-o', out, '-q']);
    const [stored, decoded] = [load(out), load(path)];
    check(stored.clip(0).isCompressed === 0, `${path} is still compressed`);
    const [one, two] = [stored.frames(0), decoded.frames(0)];
    for (const part of ['data', 'floats']) {
      const [a, b] = [one[part], two[part]].map((floats) => new Uint32Array(floats.buffer, floats.byteOffset, floats.length));
      check(a.length === b.length, `${path}: ${a.length} and ${b.length} numbers`);
      const first = a.findIndex((bits, k) => bits !== b[k]);
      check(first < 0, `${path}: number ${first} is ${one[part][first]} and ${two[part][first]}`);
      compared += a.length;
    }
    stored.release();
    decoded.release();
  }
  check(compared > 100000, `only ${compared} numbers were compared`);
  console.log(`        ${compared} numbers of ${clips.length} clips`);
});

test('sampling agrees with the program within 1e-6, and with the golden data', () => {
  if (clips.length === 0) return kSkipped;
  let worst = 0, worstGolden = 0, compared = 0;
  for (const [game, path] of clips) {
    const document = load(path);
    const { trackCount } = document.clip(0);
    const sampler = document.sampler(0, null, 0);
    const tracks = new Float32Array(trackCount * 10);
    const compare = (csv, far) => {
      const lines = csv.trim().split('\n');
      const from = lines[0].split(',').indexOf('tx');
      let frame = NaN;
      for (const line of lines.slice(1)) {
        const words = line.split(',').map(Number);
        if (words[0] !== frame) sampler.tracks((frame = words[0]), tracks);
        // A rotation and its negative are the same.
        const q = [3, 4, 5, 6].reduce((sum, k) => sum + words[from + k] * tracks[words[1] * 10 + k], 0) < 0 ? -1 : 1;
        for (let k = 0; k < 10; ++k) far(Math.abs(words[from + k] - tracks[words[1] * 10 + k] * (k >= 3 && k < 7 ? q : 1)), Math.abs(words[from + k]));
        ++compared;
      }
    };
    compare(native(['sample', path, '--frames', '0,0.25,3.5,7.75,11']), (away, size) => (worst = Math.max(worst, away / Math.max(1, size))));
    const truth = join(golden, `${game}-${path.split('/').at(-1).replace('.hkx', '')}.csv`);
    if (existsSync(truth)) compare(readFileSync(truth, 'utf8'), (away) => (worstGolden = Math.max(worstGolden, away)));
    sampler.release();
    document.release();
  }
  check(compared > 1000, `only ${compared} tracks were compared`);
  check(worst < 1e-6, `the worst number is ${worst} away, as a share of its size if that is above 1`);
  check(worstGolden < 1e-4, `the worst number is ${worstGolden} away from the golden data`);
  console.log(`        worst ${worst.toExponential(1)} against the program, ${worstGolden.toExponential(1)} against the golden data`);
});

test('a hundred actors are posed, each at another frame', () => {
  const path = join(corpus, 'hkx/skyrim-se/dialogueangrya.hkx');
  if (!existsSync(path)) return kSkipped;
  const [clip, skeleton] = [load(path), load(join(corpus, 'hkx/skyrim-se/skeleton.hkx'))];
  const bones = skeleton.bones(0).length, { frameCount } = clip.clip(0);
  const samplers = Array.from({ length: 100 }, () => clip.sampler(0, skeleton, 0));
  const poses = samplers.map(() => new Float32Array(bones * 10));
  const frame = (at) => samplers.forEach((sampler, i) => sampler.pose((at + i * 7.3) % (frameCount - 1), kModelSpace, poses[i]));
  for (let i = 0; i < 20; ++i) frame(i);
  // Time of the processor, not of the clock: other programs run too. Figures are printed, never asserted.
  const before = process.cpuUsage();
  for (let i = 0; i < 60; ++i) frame(i * 0.5);
  const { user, system } = process.cpuUsage(before);
  console.log(`        100 actors of ${bones} bones: ${((user + system) / 60e3).toFixed(2)} ms of processor time per frame`);
  check(poses.every((pose) => pose.every(Number.isFinite)) && String(poses[0]) !== String(poses[50]), 'the poses are not those of different frames');
  for (const handle of [...samplers, clip, skeleton]) handle.release();
});

test('files that it writes are those of the program, byte for byte', () => {
  const inputs = readdirSync(join(examples, 'anvil')).filter((name) => name.endsWith('.xml')).map((name) => [join(examples, 'anvil', name), 'anvil-schema', '.xml']);
  if (hasCorpus)
    inputs.push(...clips.slice(0, 3).flatMap(([, path]) => [[path, 'xml', '.xml'], [path, 'hkx', '.hkx']]), [join(corpus, 'nif/AlarmClock.nif'), 'obj', '.obj'], [join(corpus, 'hkx/skyrim-se/skeleton.hkx'), 'glb', '.glb']);
  for (const [path, format, extension] of inputs) {
    const out = join(scratch, `out${extension}`);
    native(['convert', path, '--format', format, '-o', out, '-q']);
    const { files } = marrow.run('convert', { format }, [{ role: 'file', name: path, bytes: readFileSync(path) }], 'out');
    check(Buffer.from(files[0].bytes).equals(readFileSync(out)), `${path} as ${format} is not the same`);
  }
});

test('a hull is built, and errors of qhull come back as sentences', () => {
  const obj = Buffer.from('v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');
  const { files } = marrow.run('collision build', { shape: 'hull' }, [{ role: 'mesh', name: 'a.obj', bytes: obj }]);
  check(files[0].bytes.length > 500, 'nothing was built');
  const flat = Buffer.from('v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n');
  let said = '';
  try {
    marrow.run('collision build', { shape: 'hull' }, [{ role: 'mesh', name: 'a.obj', bytes: flat }]);
  } catch (error) {
    said = error.message;
  }
  check(said.length > 5, 'a mesh without volume is not refused');
});

test('damaged files are refused and leak nothing', () => {
  const whole = readFileSync(join(examples, 'anvil/addon_sword.xml'));
  const before = marrow.openHandles();
  let refused = 0;
  const tryLoad = (bytes) => {
    try {
      marrow.load(bytes, 'damaged').release();
    } catch (error) {
      check(error.name === 'MarrowError', String(error));
      ++refused;
    }
  };
  for (let size = 0; size < whole.length; size += 97) tryLoad(whole.subarray(0, size));
  if (clips.length > 0) {
    const clip = readFileSync(clips[0][1]);
    for (let size = 0; size < clip.length; size += 211) tryLoad(clip.subarray(0, size));
  }
  check(refused > 50, `only ${refused} were refused`);
  check(marrow.openHandles() === before, 'handles stay open');
});

writeFileSync(join(scratch, 'done'), '');
await runAll(null);
