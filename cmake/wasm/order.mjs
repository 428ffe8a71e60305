// SPDX-License-Identifier: MIT
// Orders the functions of a module so that similar ones are neighbours: gzip looks back 32 KB and no further, and the
// linker puts them in the order of the sources. Nothing else changes. order.mjs MODULE.wasm
import fs from 'node:fs';
import { renumbered, sections } from './module.mjs';

const kHashes = 256; // of each function; two functions share about as many as they share of their bytes
const kGram = 4; // bytes, about two instructions
const kCommon = 400; // what more functions have says nothing
const kOneByte = 128; // functions of a smaller number are called with one byte less: they stay

// The least value of each of many hashes of all runs of bytes: equal ones in two functions count what they share.
function signatureOf(body) {
  const least = new Uint32Array(kHashes).fill(0xffffffff);
  for (let i = 0; i + kGram <= body.length; ++i) {
    let hash = 0x811c9dc5;
    for (let k = 0; k < kGram; ++k) hash = Math.imul(hash ^ body[i + k], 0x01000193);
    for (let k = 0; k < kHashes; ++k) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) + k;
      const value = hash >>> 0;
      if (value < least[k]) least[k] = value;
    }
  }
  return least;
}

// A walk through all functions that goes on to the one that shares most with those it just left.
function similarityOrder(bodies, first) {
  const signatures = bodies.map(signatureOf);
  const buckets = Array.from({ length: kHashes }, () => new Map());
  signatures.forEach((signature, i) => {
    if (i < first) return;
    signature.forEach((value, k) => {
      const bucket = buckets[k].get(value);
      if (bucket) bucket.push(i);
      else buckets[k].set(value, [i]);
    });
  });
  const order = Array.from({ length: Math.min(first, bodies.length) }, (_, i) => i);
  const done = new Uint8Array(bodies.length);
  let next = first;
  let current = first;
  while (order.length < bodies.length) {
    order.push(current);
    done[current] = 1;
    const shared = new Map();
    signatures[current].forEach((value, k) => {
      const bucket = buckets[k].get(value);
      if (bucket.length > kCommon) return;
      for (const i of bucket) if (!done[i]) shared.set(i, (shared.get(i) ?? 0) + 1);
    });
    const distance = (i) => Math.abs(bodies[i].length - bodies[current].length);
    let best = -1;
    for (const [i, count] of shared)
      if (best < 0 || count > shared.get(best) || (count === shared.get(best) && distance(i) < distance(best))) best = i;
    while (next < bodies.length && done[next]) ++next;
    current = best < 0 ? next : best;
  }
  return order;
}

const path = process.argv[2];
const module = sections(fs.readFileSync(path));
const imported = module.importedFunctions;
const order = similarityOrder(module.bodies, Math.max(0, kOneByte - imported));
const numberOf = new Uint32Array(imported + order.length);
for (let i = 0; i < imported; ++i) numberOf[i] = i;
order.forEach((old, i) => (numberOf[imported + old] = imported + i));
fs.writeFileSync(path, renumbered(module, order, numberOf));
