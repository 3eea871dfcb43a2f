/**
 * Makes the files that a page takes from a CDN, in `dist/cdn`:
 *
 * - `sitrep.js`: one file with Lit, `<progress-card>` and `<status-pill>`, and what finds the other tags of a page.
 * - `<hash>/<what>.js`: everything that is loaded when it is needed: the other tags, sessions, notes, languages. The hash is that of
 *   all files together, so that an entry never meets files of another build.
 *
 * The entry imports nothing at once, so one `integrity` covers what is loaded at first. What is loaded later does not import the
 * entry, whose address may be another one than the page asked for (a CDN redirects, a page adds a query): it takes the modules it
 * shares with the entry from where the entry has put them.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  charset: 'utf8',
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

/** What the entry keeps for what comes later, under short names. */
interface Shared {
  readonly path: string;
  readonly name: string;
  readonly as: string;
}

/** Where the entry puts it, and the others find it. It is another place in every build. */
const placeOf = (key: string): string => `globalThis[Symbol.for(${JSON.stringify(`@sitrep/elements ${key}`)})]`;

const entryText = (key: string, shared: readonly Shared[]): string => `
${shared.map(({ path, name, as }) => `import { ${name} as ${as} } from ${JSON.stringify(path)};`).join('\n')}
import './define/status-pill.js';
import { defineOnce } from './display/define-once.js';
import { ProgressCard } from './progress-card/progress-card.js';
import { loadSeen } from './autoload/load-seen.js';
${placeOf(key)} = { ${shared.map(({ as }) => as).join()} };
defineOnce('progress-card', ProgressCard);
loadSeen({ ${later.map((tag) => `'${tag}': () => import('./define/${tag}.js')`).join(', ')} }, ['tool-progress']);
`;

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

/** Leaves imports of what is `inEntry` where they are, as `shared:<module>`; `modules` gets those that are imported. */
const leaveShared = (inEntry: ReadonlySet<string>, modules: string[]): Plugin => ({
  name: 'leave-shared',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ kind, path, resolveDir, pluginData }) => {
      if (kind !== 'import-statement' || pluginData === RESOLVED) return undefined;
      const whole = await resolve(path, { kind, resolveDir, pluginData: RESOLVED });
      if (!inEntry.has(whole.path)) return undefined;
      if (!modules.includes(whole.path)) modules.push(whole.path);
      return { path: `shared:${modules.indexOf(whole.path)}`, external: true, sideEffects: false };
    });
  },
});

/** Puts a look at the entry's place where a file imports what the entry keeps. */
function takeShared(text: string, key: string, nameOf: (module: number, name: string) => string): string {
  const looked = text.replace(/import\{([^}]*)\}from"shared:(\d+)";?/g, (_import, names: string, module: string) => {
    const taken = names.split(',').map((one) => {
      const [name, as] = one.trim().split(' as ') as [string, string?];
      return `${nameOf(Number(module), name)}:${as ?? name}`;
    });
    return `const{${taken.join()}}=${placeOf(key)};`;
  });
  if (looked.includes('"shared:')) throw new Error('A file of the CDN build takes something of the entry in a way that is not known.');
  return looked;
}

async function buildEntry(key: string, shared: readonly Shared[], found: (path: string) => string) {
  const stdin = { contents: entryText(key, shared), resolveDir: dist, sourcefile: 'sitrep.js' };
  const { outputFiles, metafile } = await build({ ...COMMON, stdin, plugins: [keepOut(found)] });
  return { text: outputFiles[0]!.text, inputs: Object.values(metafile.outputs)[0]!.inputs };
}

/** Writes the files anew. */
async function buildCdn(): Promise<void> {
  const lazy = new Set<string>();
  const first = await buildEntry('', [], (path) => {
    lazy.add(path);
    return path;
  });
  // A module that the entry has no line of is no business of it, unless it passes on all that others have.
  // Of another tag's own code it has what it needs for itself, for to share that would be to bring all of it along; but what holds
  // something is there once.
  const isOfLater = (path: string): boolean =>
    later.some((tag) => path.startsWith(join(dist, tag))) && !/^(?:export )?let /m.test(readFileSync(path, 'utf8'));
  const passesOn = (path: string): boolean => /\bexport\s*\*/.test(readFileSync(path, 'utf8'));
  const inEntry = new Set(
    Object.entries(first.inputs)
      .map(([path, { bytesInOutput }]) => ({ path: join(home, path), bytesInOutput }))
      .filter(({ path, bytesInOutput }) => !isOfLater(path) && (bytesInOutput > 0 || (existsSync(path) && passesOn(path))))
      .map(({ path }) => path),
  );
  const modules: string[] = [];
  const { outputFiles, metafile } = await build({
    ...COMMON,
    entryPoints: [...lazy],
    splitting: true,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    plugins: [leaveShared(inEntry, modules)],
  });
  const hash = createHash('sha256').update(version).update(first.text);
  for (const { text } of outputFiles) hash.update(text);
  const key = hash.digest('hex').slice(0, 8);

  const shared = new Map<string, Shared>();
  const nameOf = (module: number, name: string): string => {
    const path = modules[module]!;
    const known = shared.get(`${path} ${name}`) ?? { path, name, as: `$${shared.size.toString(36)}` };
    shared.set(`${path} ${name}`, known);
    return known.as;
  };
  const files = outputFiles.map(({ path, text }) => ({ path, text: takeShared(text, key, nameOf) }));
  const own = new Map(
    Object.entries(metafile.outputs).map(([path, { entryPoint }]) => [entryPoint && join(home, entryPoint), basename(path)]),
  );
  const entry = await buildEntry(key, [...shared.values()], (path) => `./${key}/${own.get(path)}`);

  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, key), { recursive: true });
  for (const { path, text } of files) writeFileSync(join(out, key, basename(path)), text);
  writeFileSync(join(out, 'sitrep.js'), entry.text);
}

await buildCdn();
