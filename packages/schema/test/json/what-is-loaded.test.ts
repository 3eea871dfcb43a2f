import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';

/** Every file and package an entry loads, followed through the built files. */
function loaded(entry: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(entry.href)) return seen;
  seen.add(entry.href);
  for (const [, specifier = ''] of readFileSync(entry, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
    if (specifier.startsWith('.')) loaded(new URL(specifier, entry), seen);
    else seen.add(specifier);
  }
  return seen;
}

const foreign = (entry: string): string[] => [...loaded(new URL(import.meta.resolve(entry)))].filter((name) => !name.startsWith('file:'));

for (const entry of ['', '/check', '/reduce', '/select', '/dialect', '/tool-schemas']) {
  it(`@sitrep/schema${entry} loads no other package`, () => assert.deepEqual(foreign(`@sitrep/schema${entry}`), []));
}

it('@sitrep/schema/wire loads TypeBox and nothing else', () => assert.deepEqual(foreign('@sitrep/schema/wire'), ['typebox']));

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { exports: Record<string, unknown> };
const DIALECTS = Object.keys(manifest.exports).flatMap((entry) =>
  entry.startsWith('./dialect/') ? [entry.slice('./dialect/'.length)] : [],
);

it('knows the dialects', () => assert.ok(DIALECTS.length >= 24));

for (const name of DIALECTS) {
  it(`@sitrep/schema/dialect/${name} loads no other dialect and no other package`, () => {
    const files = [...loaded(new URL(import.meta.resolve(`@sitrep/schema/dialect/${name}`)))];
    const others = files.filter((file) => DIALECTS.some((other) => other !== name && file.endsWith(`/dist/dialect/${other}.js`)));
    assert.deepEqual(others, []);
    assert.deepEqual(
      files.filter((file) => !file.startsWith('file:')),
      [],
    );
    assert.ok(!files.some((file) => file.endsWith('/dist/dialect/dialects.js') || file.endsWith('/dist/dialect/index.js')));
  });
}
