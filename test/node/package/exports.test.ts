import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../structure/source-graph.ts';

const PACKAGES = ['schema', 'client', 'elements', 'harness', 'server'] as const;

interface Manifest {
  name: string;
  license: string;
  sideEffects?: boolean | string[];
  exports: Record<string, string | { types: string; default?: string }>;
  dependencies?: Record<string, string>;
}
const manifest = (name: string) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest;

describe('the export maps', () => {
  for (const name of PACKAGES) {
    const { exports, license, dependencies } = manifest(name);

    it(`of ${name} name only files that exist, types first`, () => {
      for (const [entry, target] of Object.entries(exports)) {
        if (typeof target === 'string') {
          if (!target.includes('*')) assert.ok(existsSync(join(root, 'packages', name, target)), `${name} ${entry}: ${target} is missing`);
          continue;
        }
        assert.equal(Object.keys(target)[0], 'types', `${name} ${entry} must put types first`);
        for (const path of Object.values(target))
          assert.ok(existsSync(join(root, 'packages', name, path)), `${name} ${entry}: ${path} is missing`);
      }
    });

    it(`of ${name} open every entry on Node without a DOM`, async () => {
      for (const [entry, target] of Object.entries(exports)) {
        if (typeof target === 'string' || target.default === undefined) continue;
        const module = (await import(`@sitrep/${name}${entry.slice(1)}`)) as object;
        assert.ok(module, `${name} ${entry}`);
      }
    });

    it(`of ${name} come with pinned dependencies and a licence`, () => {
      assert.equal(license, 'MIT');
      for (const [dependency, version] of Object.entries(dependencies ?? {})) {
        assert.match(version, /^(\d+\.\d+\.\d+|workspace:\^)$/, `${name} must pin ${dependency}`);
      }
    });
  }
});

describe('what editors and content networks look for', () => {
  it('is there, and knows every tag', () => {
    const home = join(root, 'packages/elements');
    const {
      'web-types': webTypes,
      customElements,
      unpkg,
      jsdelivr,
    } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Record<string, string>;
    assert.equal(unpkg, jsdelivr);
    assert.ok(existsSync(join(home, unpkg!)));
    const tags = [...readFileSync(join(home, customElements!), 'utf8').matchAll(/"tagName": "([^"]+)"/g)].map(([, tag]) => tag!);
    assert.ok(tags.length >= 4);
    for (const file of [webTypes!, 'editor/vscode.html-custom-data.json', 'editor/tags.d.ts', 'dist/react.d.ts']) {
      const text = readFileSync(join(home, file), 'utf8');
      assert.ok(!/default: undefined|"undefined"|'undefined'|undefined\?:/.test(text), `${file} names nothing undefined`);
      for (const tag of tags) assert.ok(text.includes(tag), `${file} knows ${tag}`);
    }
  });
});

describe('the public names', () => {
  it('are the pinned ones, so that none comes or goes unnoticed', async () => {
    const names: Record<string, string[]> = {};
    for (const name of PACKAGES) {
      for (const [entry, target] of Object.entries(manifest(name).exports)) {
        if (typeof target === 'string' || target.default === undefined) continue;
        const specifier = `@sitrep/${name}${entry.slice(1)}`;
        names[specifier] = Object.keys((await import(specifier)) as object).toSorted();
      }
    }
    // One component for every element, made from the manifest.
    const tags = Object.entries((await import('@sitrep/elements')) as Record<string, unknown>)
      .filter(([name, one]) => typeof one === 'function' && 'observedAttributes' in one && name !== 'ProgressElement')
      .map(([name]) => name);
    assert.deepEqual(names['@sitrep/elements/react'], tags.toSorted());
    delete names['@sitrep/elements/react'];
    const pinned = JSON.parse(readFileSync(join(root, 'test/node/package/public-names.json'), 'utf8')) as typeof names;
    assert.deepEqual(names, pinned);
  });
});
