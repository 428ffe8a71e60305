// SPDX-License-Identifier: MIT
// The page's reader of zip archives, in node: what hostile archives make it take. No browser and no page needed.
//
//     node zip_test.mjs
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import zipped from './zip.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const bundler = join(root, 'viewer/node_modules/esbuild/lib/main.js');
if (!existsSync(bundler)) {
  console.log('skipped: esbuild is not installed; run scripts/setup viewer');
  process.exit(77);
}
const { default: esbuild } = await import(bundler);
const scratch = mkdtempSync(join(tmpdir(), 'marrow-zip-'));
const outfile = join(scratch, 'zip.mjs');
await esbuild.build({ entryPoints: [join(root, 'viewer/src/files/zip.ts')], bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'error' });
const { readZip } = await import(outfile);
rmSync(scratch, { recursive: true });

const kMegabyte = 1 << 20;
const kBudget = 64 * kMegabyte;  // and twenty times the archive
const kList = Buffer.from('PK\x01\x02', 'latin1'), kEnd = Buffer.from('PK\x05\x06', 'latin1');
const read = (archive) => readZip(new Uint8Array(archive));

/** Peak of what lies outside the heap of the script, where bytes are, while `work` runs. */
async function growth(work) {
  global.gc?.();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 5);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return most;
}

const tests = {
  async 'an entry comes out as it went in'() {
    const data = Buffer.from('marrow'.repeat(1000));
    const [first, second] = read(zipped([['a/one.txt', data], ['two.txt', Buffer.alloc(0)]]));
    assert.equal(first.path, 'a/one.txt');
    assert.deepEqual(Buffer.from(await first.read()), data);
    assert.deepEqual(Buffer.from(await first.read()), data);
    assert.equal((await second.read()).length, 0);
  },
  async 'an entry of 400 MB of zeros is refused long before it is there'() {
    const bomb = zipped([['bomb', Buffer.alloc(400 * kMegabyte)]]);
    const [entry] = read(bomb);
    let error;
    const most = await growth(async () => { error = await entry.read().catch((each) => each); });
    assert.match(error.message, /expands to more than it may/);
    assert.ok(most < 3 * (kBudget + 20 * bomb.length), `${most / kMegabyte} MB`);
    // Nor on a second try.
    assert.match((await entry.read().catch((each) => each)).message, /expands to more than it may/);
  },
  async 'entries share one budget'() {
    const archive = zipped(Array.from({ length: 12 }, (_, i) => [`part${i}`, Buffer.alloc(16 * kMegabyte)]));
    const parts = [];
    let failed = 0;
    for (const entry of read(archive)) await entry.read().then((bytes) => parts.push(bytes), () => ++failed);
    const total = parts.reduce((sum, each) => sum + each.length, 0);
    assert.ok(failed > 0 && total <= kBudget + 20 * archive.length, `${total / kMegabyte} MB, ${failed} failed`);
    assert.ok(parts.length >= 4);
  },
  async 'entries that all lie at one place share it too'() {
    const archive = zipped([['a', Buffer.alloc(16 * kMegabyte)]]);
    const start = archive.indexOf(kList), end = archive.indexOf(kEnd);
    const one = archive.subarray(start, end), many = 40;
    const tail = Buffer.from(archive.subarray(end));
    tail.writeUInt16LE(many, 8);
    tail.writeUInt16LE(many, 10);
    const parts = [];
    let failed = 0;
    const overlapping = Buffer.concat([archive.subarray(0, start), ...Array(many).fill(one), tail]);
    for (const entry of read(overlapping)) await entry.read().then((bytes) => parts.push(bytes), () => ++failed);
    assert.ok(parts.length * 16 * kMegabyte <= kBudget + 20 * overlapping.length, `${parts.length} parts`);
    assert.equal(parts.length + failed, many);
  },
  async 'sizes that lie are errors'() {
    for (const wrong of [0, 5, 7, 0xffffffff]) {
      const archive = zipped([['a', Buffer.from('marrow')]]);
      archive.writeUInt32LE(wrong, archive.indexOf(kList) + 24);
      await assert.rejects(read(archive)[0].read(), /(larger|smaller) than the archive says/);
    }
  },
  async 'a damaged archive is a sentence, wherever it is cut or changed'() {
    const archive = zipped([['a/b', Buffer.from('marrow'.repeat(20))], ['c', Buffer.from('x')]]);
    const attempt = async (bytes) => {
      try {
        for (const entry of read(bytes)) await entry.read();
      } catch (error) {
        assert.ok(error instanceof Error && error.message.length > 0);
      }
    };
    for (let length = 0; length < archive.length; ++length) await attempt(archive.subarray(0, length));
    for (let at = 0; at < archive.length; ++at)
      for (const value of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(archive);
        changed[at] = value;
        await attempt(changed);
      }
  },
};

let failed = 0;
for (const [name, run] of Object.entries(tests)) {
  try {
    await run();
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED  ${name}: ${error.stack}`);
  }
}
process.exit(failed ? 1 : 0);
