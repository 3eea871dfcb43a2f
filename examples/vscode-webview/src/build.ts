import { copyFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

mkdirSync(at('../dist'), { recursive: true });
// One file each: a page under such a policy loads nothing later.
await build({
  entryPoints: [at('webview.ts'), at('embed.ts')],
  outdir: at('../dist'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
});
await build({
  entryPoints: [at('extension.ts')],
  outfile: at('../dist/extension.cjs'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  external: ['vscode'],
});
copyFileSync(fileURLToPath(import.meta.resolve('@sitrep/elements/themes/vscode.css')), at('../dist/vscode.css'));
