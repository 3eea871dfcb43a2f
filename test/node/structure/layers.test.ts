import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { importsOf, root, sourceFiles, type Import } from './source-graph.ts';

/**
 * Which part of the source may import which. `types` means type-only imports. Parts are found by the first matching
 * path, so narrow ones stand first. The table is the one direction of flow: whatever is not listed is forbidden.
 */
const PARTS: readonly { name: string; path: RegExp; may: readonly string[]; types?: readonly string[] }[] = [
  { name: 'wire-words', path: /^packages\/schema\/src\/wire\/(limits|states)\.ts$/, may: ['wire-words'] },
  { name: 'wire', path: /^packages\/schema\/src\/wire\//, may: ['wire', 'wire-words', 'typebox'] },
  { name: 'schema-index', path: /^packages\/schema\/src\/index\.ts$/, may: ['check', 'reduce', 'select', 'wire-words'], types: ['wire'] },
  { name: 'generated', path: /^packages\/schema\/src\/generated\//, may: ['generated', 'check', 'wire-words'], types: ['wire'] },
  { name: 'check', path: /^packages\/schema\/src\/check\//, may: ['check', 'generated', 'wire-words'], types: ['wire'] },
  { name: 'reduce', path: /^packages\/schema\/src\/reduce\//, may: ['reduce', 'check', 'wire-words'], types: ['wire'] },
  { name: 'select', path: /^packages\/schema\/src\/select\//, may: ['select', 'check', 'wire-words'], types: ['wire'] },
  {
    name: 'dialect-notices',
    path: /^packages\/schema\/src\/dialect\/osc\/notices\.ts$/,
    may: ['dialect', 'select', 'check', 'wire-words'],
    types: ['wire'],
  },
  {
    name: 'dialect',
    path: /^packages\/schema\/src\/dialect\//,
    may: ['dialect', 'dialect-notices', 'check', 'wire-words'],
    types: ['wire'],
  },
  {
    name: 'translate',
    path: /^packages\/schema\/src\/translate\//,
    may: ['translate', 'dialect', 'reduce', 'check', 'wire-words'],
    types: ['wire'],
  },
  {
    name: 'client',
    path: /^packages\/client\/src\//,
    may: ['client', 'schema-index', 'check', 'reduce', 'select', 'dialect', 'translate'],
  },
  {
    name: 'define',
    path: /^packages\/elements\/src\/define(\/|\.ts$)/,
    may: ['define', 'display', 'provider'],
  },
  {
    name: 'elements-server',
    path: /^packages\/elements\/src\/server(\/|\.ts$)/,
    may: ['elements-server', 'define', 'display', 'check', 'lit', '@lit-labs/ssr', '@lit-labs/ssr-client'],
    types: ['schema-index'],
  },
  {
    name: 'elements-hydrate',
    path: /^packages\/elements\/src\/hydrate(\/|\.ts$)/,
    may: ['elements-hydrate', 'define', 'display', 'provider', 'lit', '@lit-labs/ssr-client'],
    types: ['schema-index'],
  },
  { name: 'elements-index', path: /^packages\/elements\/src\/index\.ts$/, may: ['display', 'provider'] },
  {
    name: 'provider',
    path: /^packages\/elements\/src\/(progress-provider|connect)\//,
    may: ['provider', 'display', 'client', 'select', 'lit', '@lit/context'],
    types: ['schema-index'],
  },
  {
    name: 'display',
    path: /^packages\/elements\/src\//,
    may: ['display', 'select', 'lit', '@lit/context', 'marked', 'dompurify'],
    types: ['schema-index'],
  },
  { name: 'node-stream', path: /^packages\/harness\/src\/meter\/node-stream\.ts$/, may: ['harness', 'node:stream'], types: ['select'] },
  { name: 'harness-node', path: /^packages\/harness\/src\/node\.ts$/, may: ['node-stream', 'harness'] },
  {
    name: 'harness',
    path: /^packages\/harness\/src\//,
    may: [
      'harness',
      'schema-index',
      'check',
      'reduce',
      'select',
      'dialect',
      'translate',
      'generated',
      'node:async_hooks',
      '#async-context',
    ],
    types: ['wire'],
  },
  {
    name: 'server-tail',
    path: /^packages\/server\/src\/cli\/tail[^/]*\.ts$/,
    may: ['server', 'server-tail', 'client', 'schema-index', 'check', 'reduce', 'select', 'dialect', 'harness', 'node'],
    types: ['wire'],
  },
  {
    name: 'server-mcp',
    path: /^packages\/server\/src\/mcp\//,
    may: ['server-mcp', 'server', 'schema-index', 'check', 'harness', 'node', 'hono', '@modelcontextprotocol/server'],
    types: ['wire'],
  },
  {
    name: 'server-redis',
    path: /^packages\/server\/src\/store\/redis\//,
    may: ['server-redis', 'server', 'schema-index', 'select', 'node', '@redis/client'],
  },
  {
    name: 'server',
    path: /^packages\/server\/src\//,
    may: [
      'server',
      'server-redis',
      'server-tail',
      'server-mcp',
      'schema-index',
      'check',
      'reduce',
      'select',
      'dialect',
      'translate',
      'harness',
      'node',
      'hono',
      '@hono/node-server',
      'jose',
      'pino',
      'ws',
      'web-push',
    ],
    types: ['wire'],
  },
];

const files = sourceFiles('packages').filter((file) => /^packages\/[a-z]+\/src\//.test(file));
const imports = files.flatMap(importsOf);

function partOf(path: string): string {
  const part = PARTS.find(({ path: pattern }) => pattern.test(path));
  assert.ok(part, `${path} belongs to no part of the table`);
  return part.name;
}

/** The part, or the outside package's name (`node` for the platform, except where one module is named). */
function targetOf(item: Import, may: readonly string[]): string {
  if (item.to !== undefined) return partOf(item.to);
  if (item.specifier.startsWith('node:')) return may.includes(item.specifier) ? item.specifier : 'node';
  return item.specifier.startsWith('@') ? item.specifier.split('/').slice(0, 2).join('/') : item.specifier.split('/')[0]!;
}

describe('the one direction of flow', () => {
  it('sees the whole source', () => {
    assert.ok(files.length > 50, `${files.length} files`);
    assert.ok(imports.length > 100, `${imports.length} imports`);
  });

  it('is kept by every import, types included', () => {
    const breaches = imports.flatMap((item) => {
      const part = PARTS.find(({ path }) => path.test(item.from));
      if (!part) return [`${item.from} belongs to no part of the table`];
      const target = targetOf(item, part.may);
      const allowed = part.may.includes(target) || (item.typeOnly && part.types?.includes(target));
      return allowed ? [] : [`${item.from}: ${part.name} may not import ${target} (${item.specifier})`];
    });
    assert.deepEqual(breaches, []);
  });

  it('never goes through an index inside a package', () => {
    const breaches = imports
      .filter(
        (item) =>
          item.to !== undefined && item.specifier.startsWith('.') && basename(item.to) === 'index.ts' && basename(item.from) !== 'index.ts',
      )
      .map((item) => `${item.from} imports ${item.to}`);
    const self = imports
      .filter((item) => item.to?.split('/')[1] === item.from.split('/')[1] && item.specifier.startsWith('@sitrep/'))
      .map((item) => `${item.from} imports its own package as ${item.specifier}`);
    assert.deepEqual([...breaches, ...self], []);
  });

  it('has no cycle, types included', () => {
    const graph = new Map<string, string[]>(files.map((file) => [file, []]));
    for (const item of imports) if (item.to !== undefined) graph.get(item.from)!.push(item.to);
    const done = new Set<string>();
    const path: string[] = [];
    const cycles: string[] = [];
    const visit = (file: string): void => {
      const at = path.indexOf(file);
      if (at >= 0) cycles.push([...path.slice(at), file].join(' → '));
      if (at >= 0 || done.has(file)) return;
      path.push(file);
      for (const next of graph.get(file) ?? []) visit(next);
      path.pop();
      done.add(file);
    };
    for (const file of files) visit(file);
    assert.deepEqual(cycles, []);
  });

  it('keeps the indexes to named re-exports', () => {
    const breaches = files
      .filter((file) => basename(file) === 'index.ts')
      .flatMap((file) =>
        importsOf(file)
          .filter((item) => item.to === undefined)
          .map((item) => `${file} re-exports ${item.specifier}`),
      );
    assert.deepEqual(breaches, []);
  });

  it('never asks instanceof of a class of another package', () => {
    // Two copies of a package on one page have two classes: tagged unions decide, never constructors.
    const breaches = imports
      .filter((item) => item.specifier.startsWith('@sitrep/'))
      .flatMap((item) => {
        const text = readFileSync(join(root, item.from), 'utf8');
        return item.names
          .filter((name) => new RegExp(`instanceof\\s+${name}\\b`).test(text))
          .map((name) => `${item.from}: instanceof ${name}`);
      });
    assert.deepEqual(breaches, []);
  });
});
