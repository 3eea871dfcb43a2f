import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dialects } from '@sitrep/schema/dialect';

const ROOT = new URL('../', import.meta.url);
const README = readFileSync(new URL('README.md', ROOT), 'utf8');

/** What an example says it prints: the comment after each `console.log`, or the comment lines below it. */
function promised(code: string): string[] {
  const lines = code.split('\n');
  return lines.flatMap((line) => /(?:console\.log\(.*|^)\/\/ (.*)$/.exec(line)?.[1] ?? []);
}

describe('the README', () => {
  const examples = [...README.matchAll(/## (.+)\n[^#]*?```ts\n([^]*?)```/g)];
  it('has an example of each kind', () => {
    assert.deepEqual(
      examples.map(([, title]) => title),
      ['Check', 'Reduce', 'Select', 'Dialects', 'Whole streams'],
    );
  });
  for (const [, title, code] of examples as unknown as [string, string, string][]) {
    it(`prints in the example of ${title} what it says there`, () => {
      const output = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', code], {
        cwd: fileURLToPath(ROOT),
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1', NODE_NO_WARNINGS: '1' },
      });
      assert.ok(promised(code).length > 0);
      assert.deepEqual(output.trimEnd().split('\n'), promised(code));
    });
  }
  it('names every entry', () => {
    const { exports } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { exports: Record<string, unknown> };
    const names = Object.keys(exports).map((entry) => /^\.(?:\/dialect)?\/([a-z0-9-]+)/.exec(entry)?.[1] ?? 'schema');
    assert.ok(names.includes('mcp') && names.includes('check'));
    const importable = Object.keys(exports).flatMap((entry) => /^\.\/dialect\/(.+)$/.exec(entry)?.[1] ?? []);
    assert.deepEqual(importable.sort(), Object.keys(dialects).sort());
    for (const [name, { name: own }] of Object.entries(dialects)) assert.equal(own, name);
    for (const name of names.filter((each) => each !== 'package')) assert.match(README, new RegExp(`[\`/]${name}[\`/]`));
  });
});
