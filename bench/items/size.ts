/** What comes over the wire: minified, bundled, gzip at level 9; what is loaded on demand is not counted with the rest. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Item } from '../item.ts';
import type { Metric, Row, Table } from '../report.ts';

const SIZE: Metric = { key: 'gzip', label: 'gzip', unit: 'B', better: 'less' };

interface Sizes {
  /** What the page loads at once. */
  readonly initial: number;
  /** What it loads with the first Markdown note. */
  readonly note: number;
}

const bench = fileURLToPath(new URL('..', import.meta.url));
const elements = fileURLToPath(new URL('.', import.meta.resolve('@sitrep/elements/package.json')));

/** Bundles one module's text as an application would. */
async function sizesOf(code: string, resolveDir: string): Promise<Sizes> {
  const result = await build({
    stdin: { contents: code, resolveDir, loader: 'js' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const { outputs } = result.metafile;
  /** The files that come along with `path`, statically. */
  const along = (path: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(path)) return seen;
    seen.add(path);
    for (const item of outputs[path]!.imports) if (item.kind === 'import-statement' && !item.external) along(item.path, seen);
    return seen;
  };
  const gzipped = (path: string) => {
    const file = result.outputFiles.find((one) => one.path.endsWith(`/${path}`));
    if (!file) throw new Error(`esbuild names ${path} but did not make it`);
    return gzipSync(file.contents, { level: 9 }).length;
  };
  const entry = Object.keys(outputs).find((path) => outputs[path]!.entryPoint === '<stdin>');
  if (entry === undefined) throw new Error('esbuild made no entry');
  const initial = along(entry);
  const note = new Set<string>();
  for (const path of initial) {
    for (const item of outputs[path]!.imports) {
      if (item.kind !== 'dynamic-import') continue;
      const files = [...along(item.path)].filter((file) => !initial.has(file));
      if (files.some((file) => Object.keys(outputs[file]!.inputs).some((input) => input.includes('/marked/'))))
        files.forEach((file) => note.add(file));
    }
  }
  const sum = (paths: Iterable<string>) => [...paths].reduce((total, path) => total + gzipped(path), 0);
  return { initial: sum(initial), note: sum(note) };
}

const SHOELACE = (...parts: string[]) =>
  parts.map((part) => `import '@shoelace-style/shoelace/dist/components/${part}/${part}.js';`).join('');
const WEB_AWESOME = (...parts: string[]) =>
  parts.map((part) => `import '@awesome.me/webawesome/dist/components/${part}/${part}.js';`).join('');
const OURS = (...tags: string[]) => tags.map((tag) => `import '@sitrep/elements/define/${tag}';`).join('');

interface Group {
  readonly title: string;
  readonly note?: string;
  readonly ours: string;
  /** What our own case counts; the others always count what they load at once. */
  readonly part?: keyof Sizes;
  /** Where the packages named are found; the directory of the bench if absent. */
  readonly from?: string;
  readonly cases: Readonly<Record<string, string>>;
}

const OPERATION = `import {OperationEvent as T} from '@sitrep/schema/wire';`;

const groups: readonly Group[] = [
  {
    title: 'a status pill',
    ours: 'ours: <status-pill>',
    cases: {
      'ours: <status-pill>': OURS('status-pill'),
      'Shoelace badge': SHOELACE('badge'),
      'Web Awesome badge': WEB_AWESOME('badge'),
      'Lit alone': `export * from 'lit';`,
    },
  },
  {
    title: 'a row for one tool: bar, pill, details',
    ours: 'ours: <tool-progress>',
    cases: {
      'ours: <tool-progress>': OURS('tool-progress'),
      'Shoelace bar + badge + details': SHOELACE('progress-bar', 'badge', 'details'),
      'Web Awesome bar + badge + details': WEB_AWESOME('progress-bar', 'badge', 'details'),
      'React alone': `export {createElement} from 'react';export {createRoot} from 'react-dom/client';`,
    },
  },
  {
    title: 'the three elements',
    note: 'Without Markdown, which is loaded with the first note.',
    ours: 'ours: pill, tool, card',
    cases: {
      'ours: pill, tool, card': OURS('status-pill', 'tool-progress', 'progress-card'),
      'Shoelace bar + badge + details + card': SHOELACE('progress-bar', 'badge', 'details', 'card'),
      'Web Awesome bar + badge + details + card': WEB_AWESOME('progress-bar', 'badge', 'details', 'card'),
    },
  },
  {
    title: 'a live source and the state of a session',
    note: 'With the elements in the first line only; the others bring no element.',
    ours: 'ours: SSE source, checks, reducer, store',
    cases: {
      'ours: the three elements and <progress-provider>': `import '@sitrep/elements/define';`,
      'ours: SSE source, checks, reducer, store': `export {createSseSource} from '@sitrep/client/sse';export {createStore} from '@sitrep/client/store';`,
      'ai: parseJsonEventStream, readUIMessageStream': `export {parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema} from 'ai';`,
      'AG-UI: HttpAgent': `export {HttpAgent} from '@ag-ui/client';`,
    },
  },
  {
    title: 'Markdown notes, loaded with the first one',
    note: 'The peer line is the two libraries as they come, which we use too.',
    ours: 'ours: what <progress-card> loads with it',
    part: 'note',
    from: elements,
    cases: {
      'ours: what <progress-card> loads with it': `import '@sitrep/elements/define/progress-card';`,
      'marked + DOMPurify': `export {marked} from 'marked';export {default} from 'dompurify';`,
    },
  },
  {
    title: 'a check of every event type',
    note: 'Peers check the operation event only.',
    ours: 'ours: checkStreamEvent',
    cases: {
      'ours: checkStreamEvent': `export {checkStreamEvent} from '@sitrep/schema/check';`,
      'TypeBox Compile': `${OPERATION}import {Compile} from 'typebox/compile';export const check=Compile(T);`,
      'TypeBox Value.Check': `${OPERATION}import {Check} from 'typebox/value';export const check=(x)=>Check(T,x);`,
      ajv: `${OPERATION}import Ajv from 'ajv';export const check=new Ajv().compile(T);`,
      'zod alone': `import * as z from 'zod';export const check=z.looseObject({type:z.literal('operation'),id:z.string().min(1).max(256),seq:z.int().optional(),state:z.enum(['a','b']).nullish()});`,
      'arktype alone': `import {type} from 'arktype';export const check=type({type:"'operation'"});`,
    },
  },
];

/** The messages of the wire, and the generated file that holds test and rules of each. */
const MESSAGES: Readonly<Record<string, string>> = {
  OperationEvent: 'operation',
  OperationClearEvent: 'operation-clear',
  CardEvent: 'card',
  RunEvent: 'run',
  SessionEvent: 'session',
  Snapshot: 'snapshot',
  Heartbeat: 'control',
  Resync: 'control',
  End: 'control',
  ReportProgressInput: 'tool-inputs',
  ProgressInput: 'tool-inputs',
  ProgressCardInput: 'tool-inputs',
  CardPut: 'tool-inputs',
};

/** What each message adds to all that the checks share: its share of the whole, and alone. */
async function perMessage(): Promise<Row[]> {
  const generated = fileURLToPath(new URL('../../packages/schema/dist/generated/', import.meta.url));
  const rows: Row[] = [];
  for (const [name, file] of Object.entries(MESSAGES)) {
    const { initial } = await sizesOf(`export {is${name}} from '${generated}${file}.js';`, bench);
    rows.push({ name, samples: { gzip: [initial] } });
  }
  const all = await sizesOf(`export * from '@sitrep/schema/check';`, bench);
  rows.push({ name: MEAN, samples: { gzip: [all.initial / rows.length] } });
  return rows;
}

const MEAN = 'all of /check, divided by its messages';

export const item: Item = {
  name: 'size',
  about: 'bytes of entry points',
  async run({ progress }) {
    const tables: Table[] = [];
    for (const group of groups) {
      const rows = [];
      for (const [name, code] of Object.entries(group.cases)) {
        progress(`${group.title}: ${name}`);
        const sizes = await sizesOf(code, group.from ?? bench);
        const part = name === group.ours ? (group.part ?? 'initial') : 'initial';
        rows.push({ name, samples: { gzip: [sizes[part]] } });
      }
      tables.push({ title: group.title, note: group.note, metrics: [SIZE], ours: [group.ours], rows });
    }
    const note = 'The test of the shape, by itself. The last line has everything: rules, reasons, text, limits, mending.';
    tables.push({ title: 'the check of one message', note, metrics: [SIZE], ours: [MEAN], rows: await perMessage() });
    return { tables };
  },
};
