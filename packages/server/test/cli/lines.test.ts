import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OutputLines } from '../../dist/cli/output/lines.js';

describe('the lines of an output', () => {
  it('are the same however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('\n', '\r', '\r\n', 'ü', '🦊', '[1/2]'), fc.string({ maxLength: 20 })), {
          maxLength: 60,
          size: 'max',
        }),
        fc.array(fc.nat(7), { minLength: 1, maxLength: 50 }),
        (parts, cuts) => {
          // A lone surrogate cannot be written to a pipe.
          const text = `${Buffer.from(parts.join('')).toString()}\n`;
          const bytes = Buffer.from(text);
          const lines = new OutputLines();
          const found: string[] = [];
          for (let at = 0, n = 0; at < bytes.length; n += 1) {
            const size = 1 + (cuts[n % cuts.length] ?? 0);
            found.push(...lines.push(bytes.subarray(at, at + size)).map((line) => line.text));
            at += size;
          }
          assert.deepEqual(found, text.split(/\r\n|\r|\n/).slice(0, -1));
        },
      ),
    );
  });

  it('of a flood are the newest ones', () => {
    const lines = new OutputLines();
    const found = lines.push(Buffer.from('old line\n'.repeat(1_000_000) + 'newest\n'));
    assert.ok(found.length < 10_000);
    assert.equal(found.at(-1)?.text, 'newest');
    assert.equal(lines.rest, '');
  });

  it('without an end are kept to a bounded length', () => {
    const lines = new OutputLines();
    for (let n = 0; n < 100; n += 1) lines.push(Buffer.from('x'.repeat(10_000)));
    assert.ok(lines.rest.length <= 65_536);
  });
});
