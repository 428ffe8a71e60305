// SPDX-License-Identifier: MIT
// Khronos' validator over files and folders: any error or warning fails.   node validate.mjs PATH...
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

let validator;
try {
  validator = (await import('gltf-validator')).default;
} catch {
  console.log('SKIPPED: no gltf-validator; run scripts/setup test');
  process.exit(77);
}

const files = process.argv.slice(2).flatMap((path) =>
  statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path]);
let checked = 0, failed = 0;
for (const file of files.filter((name) => /\.(glb|gltf)$/.test(name))) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 20 });
  const { numErrors, numWarnings, messages } = report.issues;
  checked += 1;
  if (numErrors + numWarnings === 0) continue;
  failed += 1;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings`);
  for (const m of messages.filter((x) => x.severity < 2)) console.log(`  ${m.code} ${m.pointer}: ${m.message}`);
}
console.log(`${checked} files validated, ${failed} with errors or warnings`);
process.exit(failed > 0 || checked === 0 ? 1 : 0);
