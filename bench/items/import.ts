/** What it costs to have a package at hand: starting it in Node, from its many files and from one, and its weight. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { turned } from '../harness.ts';
import type { Item } from '../item.ts';
import type { Metric, Row } from '../report.ts';

const bench = fileURLToPath(new URL('..', import.meta.url));
const OURS = '@sitrep/schema';

const FILES: Metric = { key: 'files', label: 'as installed', unit: 'ms', better: 'less' };
const ONE: Metric = { key: 'one', label: 'as one file', unit: 'ms', better: 'less' };
const SIZE: Metric = { key: 'gzip', label: 'gzip', unit: 'B', better: 'less' };

/** Module texts by name: what a program would write to have this at hand. */
type Cases = Readonly<Record<string, string>>;

const all = (entry: string) => `export * from '${entry}';`;

/** The entries of the schema package that are built, without the one that loads TypeBox. */
function entries(): string[] {
  const home = new URL('../../packages/schema/', import.meta.url);
  const root = existsSync(new URL('package.json', home)) ? home : new URL('.', import.meta.resolve(`${OURS}/package.json`));
  const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    exports: Record<string, string | { default: string }>;
  };
  return Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === 'string' || entry === './wire' || !existsSync(new URL(target.default, root)) ? [] : [`${OURS}${entry.slice(1)}`],
  );
}

const PEERS: Cases = {
  'TypeBox Compile': `export {Compile} from 'typebox/compile';export * from '@sitrep/schema/wire';`,
  'TypeBox Value.Check': `export {Check} from 'typebox/value';export * from '@sitrep/schema/wire';`,
  ajv: `export {default} from 'ajv';`,
  zod: all('zod'),
  valibot: all('valibot'),
  arktype: `export {type} from 'arktype';`,
};

async function bundled(code: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: bench, loader: 'js' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    legalComments: 'none',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]!.contents;
}

/** Milliseconds of one import in a process of its own, in which nothing but a module without anything was imported before. */
function importMs(url: string, first: string): number {
  const code = `await import(${JSON.stringify(first)});const s=performance.now();await import(${JSON.stringify(url)});const took=performance.now()-s;process.stdout.write(String(took))`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }));
}

async function measured(cases: Cases, rounds: number, folder: string): Promise<Row[]> {
  const files = await Promise.all(
    Object.entries(cases).map(async ([name, code], index) => {
      const contents = await bundled(code);
      const many = join(bench, `.import-${process.pid}-${folder}-${index}.mjs`);
      const one = join(mkdtempSync(join(tmpdir(), 'import-')), 'one.mjs');
      writeFileSync(many, code);
      writeFileSync(one, contents);
      return { name, many, one, samples: { files: [] as number[], one: [] as number[], gzip: [gzipSync(contents, { level: 9 }).length] } };
    }),
  );
  const loader = join(mkdtempSync(join(tmpdir(), 'import-')), 'loader.mjs');
  writeFileSync(loader, 'export {};');
  const started = pathToFileURL(loader).href;
  try {
    for (let round = 0; round < rounds; round++) {
      for (const { many, one, samples } of turned(files, round)) {
        samples.files.push(importMs(pathToFileURL(many).href, started));
        samples.one.push(importMs(pathToFileURL(one).href, started));
      }
    }
  } finally {
    for (const path of [join(loader, '..'), ...files.flatMap(({ many, one }) => [many, join(one, '..')])])
      rmSync(path, { recursive: true, force: true });
  }
  return files.map(({ name, samples }) => ({ name, samples }));
}

export const item: Item = {
  name: 'import',
  about: 'start in Node, and weight, of every entry',
  async run({ quick, progress }) {
    const rounds = quick ? 3 : 7;
    const own = entries();
    const isDialect = (entry: string) => entry.startsWith(`${OURS}/dialect/`);
    const metrics = [FILES, ONE, SIZE];
    const empty = { 'an empty module': 'export {};' };
    progress('entries');
    const first: Cases = {
      ...empty,
      ...Object.fromEntries(own.filter((entry) => !isDialect(entry)).map((entry) => [entry, all(entry)])),
      ...PEERS,
    };
    const rows = await measured(first, rounds, 'entries');
    progress('dialects');
    const dialects = Object.fromEntries(own.filter(isDialect).map((entry) => [entry, all(entry)]));
    const ofDialects = await measured({ ...empty, ...dialects }, rounds, 'dialects');
    return {
      tables: [
        {
          title: 'to import it in Node',
          note: 'Peers with the schemas of the wire where they need TypeBox; none of their times includes the building of a check.',
          metrics,
          ours: [OURS],
          rows,
        },
        { title: 'to import one dialect alone', metrics, ours: ['an empty module'], rows: ofDialects },
      ],
    };
  },
};
