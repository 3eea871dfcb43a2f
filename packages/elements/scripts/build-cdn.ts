/**
 * Makes the files that a page takes from a CDN, in `dist/cdn`:
 *
 * - `sitrep.js`: one file with Lit, `<progress-card>` and `<status-pill>`, and what finds the other tags of a page.
 * - `<what>-<hash>.js`: everything that is loaded when it is needed: the other tags, sessions, notes, languages.
 *
 * The entry imports nothing at once, so one `integrity` covers what is loaded at first. What is loaded later does not import the
 * entry, whose address may be another one than the page asked for (a CDN redirects, a page adds a query): it takes the modules it
 * shares with the entry from where the entry has put them.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';

const home = fileURLToPath(new URL('..', import.meta.url));
const dist = join(home, 'dist');
const out = join(dist, 'cdn');
const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };

const COMMON = {
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  write: false,
  metafile: true,
  logLevel: 'error',
  absWorkingDir: home,
  outdir: out,
} satisfies BuildOptions;

/** Tags that the entry does not bring along itself. */
const later = globSync('*.js', { cwd: join(dist, 'define') })
  .filter((name) => name.includes('-') && !['progress-card.js', 'status-pill.js'].includes(name))
  .map((name) => basename(name, '.js'))
  .toSorted();

/** What the entry keeps for what comes later: names by module. */
type Shared = ReadonlyMap<string, ReadonlySet<string>>;

/** Where the entry puts it, and the others find it. It is another place in every version. */
const placeOf = (key: string): string => `globalThis[Symbol.for(${JSON.stringify(`@sitrep/elements ${key}`)})]`;

const entryText = (key: string, shared: Shared): string => {
  const names = [...shared].flatMap(([path, of], module) => [...of].map((name) => ({ path, name, as: `${name}_${module}` })));
  return `
${names.map(({ path, name, as }) => `import { ${name} as ${as} } from ${JSON.stringify(path)};`).join('\n')}
import './define/status-pill.js';
import { defineOnce } from './display/define-once.js';
import { ProgressCard } from './progress-card/progress-card.js';
import { loadSeen } from './autoload/load-seen.js';
${placeOf(key)} = { ${names.map(({ as }) => as).join()} };
defineOnce('progress-card', ProgressCard);
loadSeen({ ${later.map((tag) => `'${tag}': () => import('./define/${tag}.js')`).join(', ')} }, ['tool-progress']);
`;
};

const RESOLVED = { resolved: true };

/** Calls `found` for what is loaded later, and keeps it out of the build under the name it gives. */
const keepOut = (found: (path: string) => string): Plugin => ({
  name: 'keep-out',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ kind, path, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === RESOLVED) return undefined;
      const whole = await resolve(path, { kind, resolveDir, pluginData: RESOLVED });
      return { path: found(whole.path), external: true };
    });
  },
});

/** Leaves imports of what is `inEntry` where they are, as `shared:<key>:<module>`; `modules` gets those that are imported. */
const leaveShared = (key: string, inEntry: ReadonlySet<string>, modules: string[]): Plugin => ({
  name: 'leave-shared',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ kind, path, resolveDir, pluginData }) => {
      if (kind !== 'import-statement' || pluginData === RESOLVED) return undefined;
      const whole = await resolve(path, { kind, resolveDir, pluginData: RESOLVED });
      if (!inEntry.has(whole.path)) return undefined;
      if (!modules.includes(whole.path)) modules.push(whole.path);
      return { path: `shared:${key}:${modules.indexOf(whole.path)}`, external: true, sideEffects: false };
    });
  },
});

/** Puts a look at the entry's place where a file imports what the entry keeps; `used` gets the names. */
function takeShared(text: string, key: string, used: (module: number, name: string) => void): string {
  const looked = text.replace(/import\{([^}]*)\}from"shared:[^:"]+:(\d+)";?/g, (_import, names: string, module: string) => {
    const taken = names.split(',').map((one) => {
      const [name, as] = one.trim().split(' as ') as [string, string?];
      used(Number(module), name);
      return `${name}_${module}:${as ?? name}`;
    });
    return `const{${taken.join()}}=${placeOf(key)};`;
  });
  if (looked.includes('shared:')) throw new Error('A file of the CDN build takes something of the entry in a way that is not known.');
  return looked;
}

async function buildEntry(key: string, shared: Shared, found: (path: string) => string) {
  const stdin = { contents: entryText(key, shared), resolveDir: dist, sourcefile: 'sitrep.js' };
  const { outputFiles, metafile } = await build({ ...COMMON, stdin, plugins: [keepOut(found)] });
  return { text: outputFiles[0]!.text, inputs: Object.keys(metafile.inputs) };
}

/** Writes the files anew. */
async function buildCdn(): Promise<void> {
  const lazy = new Set<string>();
  const first = await buildEntry('', new Map(), (path) => {
    lazy.add(path);
    return path;
  });
  const inEntry = new Set(first.inputs.map((path) => join(home, path)));
  const key = createHash('sha256').update(first.text).update(version).digest('hex').slice(0, 8);

  const modules: string[] = [];
  const { outputFiles, metafile } = await build({
    ...COMMON,
    entryPoints: [...lazy],
    splitting: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    plugins: [leaveShared(key, inEntry, modules)],
  });
  const shared = new Map<string, Set<string>>();
  const files = outputFiles.map(({ path, text }) => ({
    path,
    text: takeShared(text, key, (module, name) => shared.set(modules[module]!, (shared.get(modules[module]!) ?? new Set()).add(name))),
  }));
  const names = new Map(
    Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint ? [[join(home, entryPoint), `./${basename(path)}`]] : [],
    ),
  );
  // Modules keep their numbers, whether or not anything of them is used in the end.
  const kept = new Map(modules.map((path) => [path, shared.get(path) ?? new Set<string>()]));
  const entry = await buildEntry(key, kept, (path) => names.get(path)!);

  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const { path, text } of files) writeFileSync(path, text);
  writeFileSync(join(out, 'sitrep.js'), entry.text);
}

await buildCdn();
