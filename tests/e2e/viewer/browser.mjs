// SPDX-License-Identifier: MIT
// A page with the viewer in a real Chromium. It reports console errors and network requests at the end.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { execFileSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const kSkipped = 77;
export const here = dirname(fileURLToPath(import.meta.url));
export const root = resolve(here, '../../..');

/** Ends the program: the test cannot run here, and explains why. */
export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(kSkipped);
}

export const corpus = process.env.MARROW_CORPUS ?? resolve(root, '../shared/corpus');
export const golden = process.env.MARROW_GOLDEN ?? resolve(root, '../shared/golden');
export const hasCorpus = existsSync(join(corpus, 'hkx'));
export const examples = join(root, 'examples');

const [marrow, page] = process.argv.slice(2).map((path) => resolve(path));
export { marrow, page };

/** Runs the native program and returns what it prints. Exit codes in `fine` are not failures. */
export function native(words, fine = [0]) {
  try {
    return execFileSync(marrow, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  } catch (failure) {
    if (fine.includes(failure.status)) return failure.stdout;
    throw failure;
  }
}
export const scratch = mkdtempSync(join(tmpdir(), 'marrow-viewer-'));

const kBrowsers = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts Chromium; skips the tests if it, its driver or the page is missing. */
export async function startBrowser() {
  const executablePath = kBrowsers.find((path) => path && existsSync(path));
  if (!executablePath) skip('there is no Chromium; run scripts/setup viewer');
  if (!page || !existsSync(page)) skip('the page has not been built; run make viewer');
  let playwright;
  try {
    playwright = await import('playwright-core');
  } catch {
    skip('playwright-core is not installed; run scripts/setup test');
  }
  const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  return playwright.chromium.launch({ executablePath, args });
}

/** A page with the viewer. `problems` collects errors and requests. The picture is drawn by software here, which takes
 *  most of the time: tests that do not look at it have it small. */
export class Viewer {
  problems = [];

  static async open(browser, { file = page, theme = 'light', size = { width: 1280, height: 720 }, isSeen = false, isTouched = false } = {}) {
    const viewer = new Viewer();
    viewer.context = await browser.newContext({ viewport: size, hasTouch: isTouched, deviceScaleFactor: isSeen ? 1 : 0.25, colorScheme: theme, acceptDownloads: true, reducedMotion: 'reduce' });
    // Machines that test are busy.
    viewer.context.setDefaultTimeout(180000);
    viewer.file = file;
    await viewer.start();
    return viewer;
  }
  async start() {
    this.page = await this.context.newPage();
    const { page: tab, problems } = this;
    this.allowed = pathToFileURL(this.file).href;
    tab.on('console', (said) => ['error', 'warning'].includes(said.type()) && !/GPU stall|GL Driver/.test(said.text()) && problems.push(`console: ${said.text()}`));
    tab.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    tab.on('request', (request) => {
      if (request.url() !== this.allowed && !/^(data|blob):/.test(request.url())) problems.push(`request: ${request.url()}`);
    });
    await tab.goto(this.allowed);
    await this.until(() => Boolean(window.marrow));
  }
  /** The same page once more, in the same browser. */
  async again() {
    const other = Object.assign(new Viewer(), { context: this.context, file: this.file, problems: this.problems });
    await other.start();
    return other;
  }
  /** Waits until a function of the page returns something. The page forbids eval, which Playwright's own wait uses. */
  async until(condition, argument, seconds = 180) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await this.page.waitForTimeout(50)) {
      const value = await this.page.evaluate(condition, argument);
      if (value) return value;
    }
    throw new Error(`waited for ${condition} in vain; the page says: ${JSON.stringify(await this.page.evaluate(() => window.marrow?.store.state.message))}`);
  }
  /** Waits until all that changed is on the page and in the picture. */
  drawn() {
    return this.page.evaluate(() => {
      window.marrow.store.tell();
      window.marrow.stage.invalidate();
      const before = window.marrow.stage.drawn;
      return new Promise((resolve) => {
        const look = () => (window.marrow.stage.drawn > before ? resolve() : requestAnimationFrame(look));
        requestAnimationFrame(look);
      });
    });
  }
  /** Waits until the files that the browser keeps for the next visit are as `condition` says: paths, with labels of edits. */
  async untilKept(condition, argument, seconds = 180) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await this.page.waitForTimeout(50)) {
      const files = await this.page.evaluate(async () => {
        const done = (request) => new Promise((resolve, reject) => ((request.onsuccess = () => resolve(request.result)), (request.onerror = () => reject(request.error))));
        const database = await done(Object.assign(indexedDB.open('marrow', 1), { onupgradeneeded: (event) => event.target.result.createObjectStore('session') }));
        const records = await done(database.transaction('session').objectStore('session').getAll());
        database.close();
        return records.flatMap((record) => record.files.map(({ path, edits }) => ({ path, labels: edits?.labels ?? [] })));
      });
      if (condition(files, argument)) return;
    }
    throw new Error(`the browser does not keep what it should: ${condition}`);
  }
  /** Opens files through the button, as people do, and waits until one is shown. */
  async openFiles(paths) {
    const before = await this.page.evaluate(() => window.marrow.store.state.files.map((file) => file.id));
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), this.page.getByRole('button', { name: 'Open', exact: true }).click()]);
    await chooser.setFiles(paths);
    await this.until((known) => {
      const { files, loading, subject } = window.marrow.store.state;
      return !loading && subject && files.some((file) => !known.includes(file.id));
    }, before);
  }
  /** Drops files and folders on the picture, as a file manager does. */
  async drop(paths) {
    const session = await this.context.newCDPSession(this.page);
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, x: 600, y: 300, data });
  }
  state(pick) {
    return this.page.evaluate(pick);
  }
  /** Chooses from the download menu and returns the bytes. */
  async download(label) {
    await this.page.getByRole('button', { name: 'Download', exact: true }).click();
    const [file] = await Promise.all([this.page.waitForEvent('download'), this.page.getByRole('menuitem', { name: label }).click()]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  }
  async close() {
    await this.context.close();
    return this.problems;
  }
}

/** Opens the viewer, runs `body`, and fails if the page printed an error or asked the network for anything. */
export async function useViewer(browser, body, options) {
  const viewer = await Viewer.open(browser, options);
  let result;
  try {
    result = await body(viewer);
  } finally {
    const problems = await viewer.close();
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }
  return result;
}

// ------------------------------------------------------------ tests

const tests = [];
export const test = (name, run) => tests.push({ name, run });

export function check(isTrue, message) {
  if (!isTrue) throw new Error(message);
}

/** Runs the tests; a name on the command line picks one. */
export async function runAll(browser) {
  const only = process.argv[4];
  let failed = 0;
  for (const { name, run } of tests) {
    if (only && !name.includes(only)) continue;
    const start = Date.now();
    try {
      const said = await run();
      console.log(`${said === kSkipped ? 'skipped' : 'ok     '} ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      ++failed;
      console.log(`FAILED  ${name}\n        ${error.stack ?? error}`);
    }
  }
  await browser?.close();
  process.exit(failed > 0 ? 1 : 0);
}
