// SPDX-License-Identifier: MIT
// Makes the viewer: one HTML file with the script, the style, the library and the sample inside it.
//
//     node build.mjs MARROW.wasm SAMPLE-FOLDER OUT.html
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const [wasm, sample, out] = process.argv.slice(2);
if (!out) {
  console.error('usage: node build.mjs MARROW.wasm SAMPLE-FOLDER OUT.html');
  process.exit(2);
}

const bundle = async (entry, options) => {
  const result = await esbuild.build({
    entryPoints: [join(here, entry)], bundle: true, minify: true, write: false, target: 'es2022', legalComments: 'none', ...options,
  });
  return result.outputFiles[0].text.trim();
};
const script = await bundle('src/main.ts', { format: 'iife' });
const style = await bundle('src/style/style.css', {});

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
// Nothing is loaded and nothing is sent: the page has all that it needs, and the browser holds it to that.
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)} 'wasm-unsafe-eval'`,
  `style-src ${hash(style)}`,
  'img-src data: blob:',
  'media-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const gzipped = (bytes) => gzipSync(bytes, { level: 9 });
/** The library in two parts, if binaryen is here to split it: what common files need, and the rest. */
function parts() {
  const folder = mkdtempSync(join(tmpdir(), 'marrow-page-'));
  const [core, rest] = ['core.wasm', 'rest.wasm'].map((name) => join(folder, name));
  try {
    execFileSync(process.execPath, [join(here, 'split.mjs'), wasm, dirname(sample), core, rest], { stdio: ['ignore', 'inherit', 'pipe'] });
    return [readFileSync(core), readFileSync(rest)].map(gzipped);
  } catch (failure) {
    if (!String(failure.stderr ?? failure).includes('ENOENT')) throw failure;
    console.log('wasm-split is not installed: the page loads the library as a whole');
    return [gzipped(readFileSync(wasm)), Buffer.alloc(0)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const [core, rest] = parts();
const files = readdirSync(sample, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  .map((path) => ({ path: relative(sample, path).replaceAll('\\', '/'), data: readFileSync(path).toString('base64') }));

// Data blocks are not scripts: the browser never runs them. `marrow view` puts files into the last one.
const data = (id, type, text) => `<script id="${id}" type="${type}">${text.replaceAll('<', '\\u003c')}</script>`;
const icon = readFileSync(join(here, 'src/style/icon.svg')).toString('base64');
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Marrow viewer</title>
<link rel="icon" href="data:image/svg+xml;base64,${icon}">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>The viewer needs JavaScript, which your browser has switched off.</noscript>
${data('marrow-wasm', 'application/octet-stream', core.toString('base64'))}
${data('marrow-rest', 'application/octet-stream', rest.toString('base64'))}
${data('marrow-sample', 'application/json', JSON.stringify(files))}
${data('marrow-files', 'application/json', '[]')}
<script>${script}</script>
</body>
</html>
`;
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
const kilobytes = (size) => `${Math.round(size / 1024)} KB`;
console.log(`${out}: ${kilobytes(page.length)} (library ${kilobytes(core.length)} gzipped and ${kilobytes(rest.length)} loaded when needed, script ${kilobytes(script.length)})`);
