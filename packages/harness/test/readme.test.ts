import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const ROOT = new URL('../', import.meta.url);
const README = readFileSync(new URL('README.md', ROOT), 'utf8');
const { exports } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { exports: Record<string, unknown> };

/** What a page has beside this package, which has no need of it itself. */
const BESIDE: Readonly<Record<string, string>> = { '@sitrep/client': new URL('../client/dist/index.js', ROOT).href };

describe('the README', () => {
  it('names every entry in its table', () => {
    const table = README.split('\n').filter((line) => line.startsWith('| `'));
    const named = table.flatMap((line) =>
      [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name?.replace('@sitrep/harness', '') ?? ''),
    );
    const entries = Object.keys(exports).filter((entry) => entry !== './package.json');
    assert.deepEqual(named.toSorted(), entries.map((entry) => entry.slice(1)).toSorted());
  });

  it('imports in its examples only what is there', async () => {
    const imports = [...README.matchAll(/^import \{ ([^}]+) \} from '(@sitrep\/[^']+)';$/gm)];
    assert.ok(imports.length >= 6);
    for (const [, names = '', specifier = ''] of imports) {
      const module = (await import(BESIDE[specifier] ?? specifier)) as Record<string, unknown>;
      for (const name of names.split(', ')) assert.notEqual(module[name], undefined, `${specifier} has no ${name}`);
    }
  });
});
