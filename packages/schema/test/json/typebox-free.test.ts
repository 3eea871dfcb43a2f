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
