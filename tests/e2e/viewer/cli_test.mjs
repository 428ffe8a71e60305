// SPDX-License-Identifier: MIT
// `marrow view`: the page with files inside it.
//
//     node cli_test.mjs MARROW PAGE [NAME]
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Viewer, check, corpus, examples, hasCorpus, kSkipped, marrow, native, page, runAll, scratch, startBrowser, test } from './browser.mjs';

const browser = await startBrowser();
const quiet = { encoding: 'utf8', env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' } };
delete quiet.env.DISPLAY;
delete quiet.env.WAYLAND_DISPLAY;

test('the files are in the page and are shown at once', async () => {
  const out = join(scratch, 'page.html');
  const rig = join(examples, 'anvil/generic_male.xml'), addon = join(examples, 'anvil/addon_hair_strand.xml');
  const said = native(['view', rig, addon, '-o', out, '--no-open']);
  check(said.includes('2 files'), said);
  const viewer = await Viewer.open(browser, { file: out });
  const shown = await viewer.state(() => ({ files: window.marrow.store.state.files.map((file) => file.path), stack: window.marrow.store.state.stack.files.length, sample: window.marrow.store.state.sample }));
  check(shown.files.join() === 'generic_male.xml,addon_hair_strand.xml' && shown.stack === 2 && !shown.sample, JSON.stringify(shown));
  const problems = await viewer.close();
  check(problems.length === 0, problems.join('\n'));
});

test('a clip brings the skeleton that lies near it', async () => {
  if (!hasCorpus) return kSkipped;
  const out = join(scratch, 'clip.html');
  native(['view', join(corpus, 'hkx/skyrim-se/bow_drawlight.hkx'), '-o', out, '--no-open', '-q']);
  const viewer = await Viewer.open(browser, { file: out });
  check(await viewer.state(() => window.marrow.store.state.subject.kind === 'motion' && window.marrow.store.state.subject.clip !== null), 'the clip does not play');
  await viewer.close();
});

test('without the page the error says how to build it', () => {
  const alone = join(scratch, 'alone/bin');
  mkdirSync(alone, { recursive: true });
  copyFileSync(marrow, join(alone, 'marrow'));
  const run = spawnSync(join(alone, 'marrow'), ['view', join(examples, 'anvil/addon_sword.xml'), '-o', join(scratch, 'none.html')], quiet);
  check(run.status === 1 && run.stderr.includes('make viewer'), `${run.status}: ${run.stderr}`);
  check(!existsSync(join(scratch, 'none.html')), 'a page was written');
});

test('an installed program finds its page', () => {
  const place = join(scratch, 'installed');
  mkdirSync(join(place, 'bin'), { recursive: true });
  mkdirSync(join(place, 'share/marrow'), { recursive: true });
  copyFileSync(marrow, join(place, 'bin/marrow'));
  copyFileSync(page, join(place, 'share/marrow/viewer.html'));
  const run = spawnSync(join(place, 'bin/marrow'), ['view', join(examples, 'anvil/addon_sword.xml'), '-o', '-'], { ...quiet, maxBuffer: 1 << 28 });
  check(run.status === 0 && run.stdout.startsWith('<!doctype html>'), run.stderr);
  rmSync(place, { recursive: true });
});

test('wrong calls are refused, and inputs stay', () => {
  const rig = join(scratch, 'rig.xml');
  copyFileSync(join(examples, 'anvil/addon_sword.xml'), rig);
  const same = spawnSync(marrow, ['view', rig, '-o', rig, '--no-open'], quiet);
  check(same.status === 2, `an output that is an input: ${same.status}`);
  check(readFileSync(rig).equals(readFileSync(join(examples, 'anvil/addon_sword.xml'))), 'the input changed');
  check(spawnSync(marrow, ['view', rig, '-o', join(scratch, 'no/such/page.html')], quiet).status === 2, 'a folder that does not exist');
  check(spawnSync(marrow, ['view', join(scratch, 'missing.hkx'), '-o', join(scratch, 'x.html')], quiet).status === 1, 'a file that does not exist');
});

test('a file of no known format is refused, and no page is made', () => {
  const noise = join(scratch, 'random.hkx'), out = join(scratch, 'random.html');
  writeFileSync(noise, Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 7919) & 255)));
  const run = spawnSync(marrow, ['view', noise, '-o', out, '--no-open'], quiet);
  check(run.status === 1 && run.stderr.includes('random.hkx'), `${run.status}: ${run.stderr}`);
  check(!existsSync(out), 'a page was written');
  const beside = spawnSync(marrow, ['view', noise, join(examples, 'anvil/addon_sword.xml'), '-o', out, '--no-open'], quiet);
  check(beside.status === 0, `beside a good file: ${beside.status}: ${beside.stderr}`);
});

await runAll(browser);
