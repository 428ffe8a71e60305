// SPDX-License-Identifier: MIT
// Splits the library into what the page needs to show common files, and the rest, which is loaded when it is first called.
// What is common is measured: the module counts which functions run while the sample files are opened as the page opens
// them. wasm-split of binaryen does the rest.
//
//     node split.mjs MARROW.wasm SAMPLE-FOLDER CORE.wasm REST.wasm
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const kFeatures = ['simd', 'exception-handling', 'bulk-memory', 'sign-ext', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types'].map((name) => `--enable-${name}`);

/** Returns the profile of an instrumented module: which functions opening files calls. */
async function profileOf(instrumented, samples) {
  const outfile = join(mkdtempSync(join(tmpdir(), 'marrow-split-')), 'abi.mjs');
  await esbuild.build({ entryPoints: [join(here, 'src/abi/marrow.ts')], bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'error' });
  const { Marrow, shapesOf } = await import(outfile);
  const marrow = await Marrow.start(readFileSync(instrumented));
  const { core } = marrow.memory;
  marrow.describe();
  marrow.version();
  marrow.defaultEnvironment();
  marrow.run('rig fields', {}, []);
  for (const folder of samples) useClip(marrow, shapesOf, folder);
  useCollision(marrow);
  try {
    marrow.load(Buffer.from('neither this nor that'), 'unknown.hkx');
  } catch (failure) {
    if (failure.name !== 'MarrowError') throw failure;
  }
  const room = 1 << 20;
  const at = core.marrow_allocate(room);
  const size = core.__write_profile(at, room);
  if (size > room) throw new Error(`the profile has ${size} bytes`);
  return Buffer.from(core.memory.buffer, at, size);
}

/** A clip and its skeleton, as the page shows them; then written again. */
function useClip(marrow, shapesOf, folder) {
  const read = (name) => readFileSync(join(folder, readdirSync(folder, { recursive: true }).find((path) => path.endsWith(name))));
  const clip = marrow.load(read('walk.hkx'), 'walk.hkx'), skeleton = marrow.load(read('skeleton.hkx'), 'skeleton.hkx');
  const main = skeleton.mainSkeleton();
  for (const document of [clip, skeleton]) document.info();
  clip.clip(0);
  clip.mainSkeleton();
  clip.fitInfo(0, skeleton, main);
  clip.fits(0, skeleton, main);
  const bones = skeleton.bones(main);
  skeleton.floatSlots(main);
  skeleton.skeleton(main);
  const pose = new Float32Array(bones.length * 10);
  marrow.poseToModel(Int32Array.from(bones, (bone) => bone.parent), Float32Array.from(bones.flatMap((bone) => [...bone.rest])), pose);
  const sampler = clip.sampler(0, skeleton, main);
  for (const space of [0, 1]) for (const frame of [0, 3.5, 12]) sampler.pose(frame, space, pose);
  if (clip.rootMotion(0)) sampler.rootMotion(2);
  clip.setAnnotations(0, clip.annotations(0));
  clip.frames(0);
  clip.tracks(0);
  sampler.release();
  shapesOf(skeleton, null);
  const inputs = [{ role: 'file', name: 'walk.hkx', document: clip }];
  marrow.run('info', {}, inputs);
  marrow.run('knots', {}, [{ role: 'clip', name: 'walk.hkx', document: clip }]);
  marrow.run('convert', { format: 'hkx' }, inputs);
  for (const document of [clip, skeleton]) document.release();
}

/** A NIF with a mesh and collision: the library makes one, and opens it. */
function useCollision(marrow) {
  const mesh = Buffer.from('o Box\nv 0 0 0\nv 90 0 0\nv 0 90 0\nv 0 0 90\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');
  for (const game of ['skyrim-se']) {
    let files;
    try {
      ({ files } = marrow.run('collision build', { shape: 'hull', game }, [{ role: 'mesh', name: 'box.obj', bytes: mesh }]));
    } catch {
      continue;
    }
    const document = marrow.load(files[0].bytes, `box${files[0].extension}`);
    document.info();
    document.release();
  }
}

const [wasm, sample, core, rest] = process.argv.slice(2);
if (!rest) {
  console.error('usage: node split.mjs MARROW.wasm SAMPLE-FOLDER CORE.wasm REST.wasm');
  process.exit(2);
}
const work = mkdtempSync(join(tmpdir(), 'marrow-split-'));
const instrumented = join(work, 'instrumented.wasm'), profile = join(work, 'profile');
execFileSync('wasm-split', ['--instrument', ...kFeatures, wasm, '-o', instrumented]);
const folders = readdirSync(sample, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => join(sample, entry.name));
writeFileSync(profile, await profileOf(instrumented, folders.length > 0 && readdirSync(folders[0], { recursive: true }).some((name) => name.endsWith('walk.hkx')) ? folders : [sample]));
execFileSync('wasm-split', [...kFeatures, wasm, `--profile=${profile}`, '--export-prefix=%', '-o1', core, '-o2', rest]);
