// SPDX-License-Identifier: MIT
// Opens real files of all kinds in the page, thirty sets of them, and takes a picture of each, for people to look at. It
// fails if one that should be seen is not, or if the page reports an error.
//
//     node look.mjs MARROW PAGE OUT [NAME] [WIDTHxHEIGHT,...]
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Viewer, corpus, examples, native, scratch, startBrowser } from './browser.mjs';

const [out, only, sizes = '1280x760'] = process.argv.slice(4);
const shared = resolve(corpus, '..');
const at = (path) => join(shared, path);
const se = 'corpus/hkx/skyrim-se/', le = 'corpus/hkx/skyrim-le/', fo4 = 'corpus/hkx/fo4/', body = 'characters/body/', bhk = 'characters/bhk/', nif = 'corpus/nif/';
const chicken = 'characters/behaviour/projects/chicken/';

/** Name, files, and what should be seen. */
const kSets = [
  ['se_bow', [`${se}bow_drawlight.hkx`, `${se}skeleton.hkx`], 'motion'],
  ['se_dialogue', [`${se}dialogueangrya.hkx`, `${se}skeleton.hkx`], 'motion'],
  ['le_stagger', [`${le}1hm_staggerbacksmallest.hkx`, `${le}skeleton.hkx`], 'motion'],
  ['le_troll_both_skeletons', [`${le}troll_h2hattackleftd.hkx`, `${le}skeleton.hkx`, `${le}skeleton_troll.hkx`], 'motion'],
  ['fo4_death', [`${fo4}Death1.hkx`, `${fo4}skeleton.hkx`], 'motion'],
  ['fo4_run', [`${fo4}run_forward_to_idle.hkx`, `${fo4}skeleton.hkx`], 'motion'],
  ['fo4_cough', [`${fo4}CoughingAfterCryo.hkx`, `${fo4}skeleton.hkx`], 'motion'],
  ['fo4_on_skyrim', [`${fo4}Death1.hkx`, `${se}skeleton.hkx`], 'unshown'],
  ['se_skeleton', [`${se}skeleton.hkx`], 'motion'],
  ['troll_skeleton', [`${le}skeleton_troll.hkx`], 'motion'],
  ['fo4_skeleton', [`${fo4}skeleton.hkx`], 'motion'],
  ['se_body_clip', [`${se}bow_drawlight.hkx`, `${se}skeleton.hkx`, `${body}skyrim-se/body1m_1.nif`, `${body}skyrim-se/malehead.nif`], 'motion'],
  ['le_body', [`${body}skyrim-le/malebody_1.nif`, `${body}skyrim-le/malehands_1.nif`], 'motion'],
  ['fo4_body_clip', [`${fo4}CoughingAfterCryo.hkx`, `${fo4}skeleton.hkx`, `${body}fo4/MaleBody.nif`, `${body}fo4/BaseMaleHead.nif`], 'motion'],
  ['fo4_body_alone', [`${body}fo4/MaleBody.nif`], 'motion'],
  ['se_hair', [`${body}skyrim-se/maleorchair27.nif`], 'motion'],
  ['fo4_hat', [`${body}fo4/MinutemanHat.nif`], 'motion'],
  ['fo4_alarm_clock', [`${nif}AlarmClock.nif`], 'collision'],
  ['fo4_pool_table', [`${nif}PoolTable01.nif`], 'collision'],
  ['fo4_shack', [`${nif}DiamondShack04.nif`], 'collision'],
  ['fo4_ragdoll', [`${nif}skeleton.nif`], 'collision'],
  ['se_rocks', [`${bhk}se-rocks01.nif`], 'collision'],
  ['le_farmhouse', [`${bhk}le-farmhouse01.nif`], 'collision'],
  ['le_staff', [`${bhk}le-staff02.nif`], 'collision'],
  ['se_ragdoll', [`${bhk}se-skeleton_vanilla.nif`], 'collision'],
  ['se_bench', [`${body}skyrim-se/farmbench01.nif`], 'collision'],
  ['anvil_rig', ['anvil/generic_male.xml', 'anvil/addon_hair_strand.xml', 'anvil/addon_quad_pistols.xml'].map((path) => join(examples, path)), 'motion'],
  ['chicken_behaviour', [`${chicken}behaviors/chickenbehavior.hkx`, `${chicken}character assets/skeleton.hkx`], 'motion'],
  ['bsa', ['characters/sources/archives/se_clips.bsa'], null],
  ['bvh', ['characters/sources/motion/walk01.bvh'], 'motion'],
  ['fbx', ['characters/sources/motion/maya_game_sausage_7500_binary_wiggle.fbx'], null],
];

// Files that the program makes of others.
const made = (name, words) => {
  const path = join(scratch, name);
  const inputs = words.filter((word) => word.includes('/'));
  if (inputs.every((each) => existsSync(at(each)))) native([...words.map((word) => (word.includes('/') ? at(word) : word)), '-o', path, '-q']);
  return path;
};
kSets.push(
  ['glb_body_two_clips', [made('body.glb', ['convert', `${body}skyrim-se/body1m_1.nif`, `${se}bow_drawlight.hkx`, `${se}dialogueangrya.hkx`, '--skeleton', `${se}skeleton.hkx`])], 'motion'],
  ['pair_human_troll', [made('kill.hkx', ['pair', 'join', `${le}1hm_staggerbacksmallest.hkx`, `${le}troll_h2hattackleftd.hkx`, '--hold', '--skeleton', `${le}skeleton.hkx`, '--skeleton', `${le}skeleton_troll.hkx`, '--place', '0,120,0,180']), `${le}skeleton.hkx`, `${le}skeleton_troll.hkx`], 'motion'],
);

mkdirSync(out, { recursive: true });
const browser = await startBrowser();
let failed = 0;

/** Opens the files of a set in a page of one size, and takes a picture. */
async function look([name, files, kind], theme, [width, height]) {
  const path = join(out, `${name}${sizes.includes(',') ? `_${width}` : ''}.png`);
  const viewer = await Viewer.open(browser, { theme, size: { width, height }, isSeen: true });
  try {
    await viewer.openFiles(files);
    const shown = await viewer.state(() => {
      const { store } = window.marrow;
      const { subject } = store.state;
      const frames = subject.kind === 'motion' ? subject.actor.frameCount : 0;
      store.set({ playing: false, frame: Math.floor(frames * 0.4) });
      return { kind: subject.kind, why: subject.why ?? '', worn: subject.worn?.length ?? 0, message: store.state.message?.text ?? '' };
    });
    await viewer.drawn();
    await viewer.page.screenshot({ path });
    const isRight = kind === null || shown.kind === kind;
    if (!isRight) ++failed;
    console.log(`${isRight ? 'ok    ' : 'FAILED'} ${name}: ${shown.kind}${shown.worn ? `, ${shown.worn} bodies` : ''} ${shown.why} ${shown.message}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED ${name}: ${error.message.split('\n')[0]}`);
    await viewer.page.screenshot({ path }).catch(() => undefined);
  }
  for (const problem of await viewer.close()) {
    ++failed;
    console.log(`       ${problem}`);
  }
}

for (const [i, [name, files, kind]] of kSets.entries()) {
  if (only && !name.includes(only)) continue;
  const paths = files.map((path) => (path.startsWith('/') ? path : at(path)));
  if (!paths.every((path) => existsSync(path))) {
    console.log(`missing ${name}`);
    continue;
  }
  for (const [k, size] of sizes.split(',').entries()) await look([name, paths, kind], (i + k) % 2 ? 'dark' : 'light', size.split('x').map(Number));
}
await browser.close();
process.exit(failed > 0 ? 1 : 0);
