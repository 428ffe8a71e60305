// SPDX-License-Identifier: MIT
// What the tests of the page share: files of the corpus and of the project, and how numbers are read.
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { corpus, examples, hasCorpus, kSkipped, native, scratch } from './browser.mjs';

export const hkx = (name) => join(corpus, 'hkx', name);
export const anvil = (name) => join(examples, 'anvil', name);
export const character = (path) => resolve(corpus, '../characters', path);
export const needsCorpus = (body) => async () => (hasCorpus ? body() : (console.log(`        no corpus at ${corpus}`), kSkipped));
/** Skips a test if one of its files is not there. */
export const needs = (paths, body) => async () => (paths.every((path) => existsSync(path)) ? body() : (console.log(`        no ${paths.find((path) => !existsSync(path))}`), kSkipped));

/** Rows of a CSV as objects of numbers. */
export function rowsOf(csv) {
  const [head, ...lines] = csv.trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((word, i) => [names[i], isNaN(word) ? word : Number(word)])));
}
export const kParts = ['tx', 'ty', 'tz', 'qx', 'qy', 'qz', 'qw', 'sx', 'sy', 'sz'];

/** The sample's clip and skeleton as files, and the same walk mirrored. */
export function sampleClips(viewer) {
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
export function sampleCollision() {
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

/** Two bones that turn for eight frames, as motion capture stores them. */
export function sampleBvh() {
  const joint = (name, inside) => `JOINT ${name}\n{\nOFFSET 0 20 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n${inside}\n}`;
  const rows = Array.from({ length: 8 }, (_, i) => `0 ${90 + i} 0 0 0 0 ${5 * i} 0 0 ${-3 * i} 0 0`);
  const path = join(scratch, 'wave.bvh');
  writeFileSync(path, `HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n${joint('Spine', joint('Head', 'End Site\n{\nOFFSET 0 10 0\n}'))}\n}\nMOTION\nFrames: 8\nFrame Time: 0.033333\n${rows.join('\n')}\n`);
  return path;
}
