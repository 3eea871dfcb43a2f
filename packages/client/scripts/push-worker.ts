/**
 * Writes `push-worker.js`, the service worker that is served as it is: one file, a classic script, because not every browser
 * takes a module there. With `--check` it only says whether the file is that of the source.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const target = new URL('../push-worker.js', import.meta.url);
const HEAD = '// Shows pushes of a Sitrep gateway. Generated from src/push/worker.ts; serve it from the root of your site.\n';

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../src/push/worker.ts', import.meta.url))],
  bundle: true,
  write: false,
  format: 'iife',
  target: 'es2022',
  logLevel: 'error',
});
const config = await resolveConfig(fileURLToPath(target));
const text = await format(HEAD + outputFiles[0]!.text, { ...config, filepath: fileURLToPath(target) });
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') === text) process.exit(0);
  console.error('packages/client/push-worker.js is not that of its source: run "node packages/client/scripts/push-worker.ts".');
  process.exit(1);
}
writeFileSync(target, text);
