import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OutputLines } from '../dist/cli/output-lines.js';
import { progressOf } from '../dist/cli/output-progress.js';

const said = (text: string, redrawn = false) => progressOf({ text, redrawn });

describe('how far the output of a command is', () => {
  it('is read where it can be nothing else', () => {
    assert.deepEqual(said('[3/10] Compiling a.c'), { current: 3, total: 10 });
    assert.deepEqual(said('[ 12/345 ] Linking'), { current: 12, total: 345 });
    assert.deepEqual(said('Receiving objects:  42% (423/1000), 1.2 MiB', true), { current: 423, total: 1000 });
    assert.deepEqual(said('[ 42%] Building CXX object'), { fraction: 0.42 });
    assert.deepEqual(said(' 42%|████      | 42/100'), { fraction: 0.42 });
    assert.deepEqual(said('42.5%'), { fraction: 0.425 });
    assert.deepEqual(said('  1,234,567  67%  1.2MB/s  0:00:01', true), { fraction: 0.67 });
    assert.deepEqual(said('\u001b[32m[4/4]\u001b[0m done'), { current: 4, total: 4 });
    assert.deepEqual(said('text \u001b]9;4;1;73\u0007'), { fraction: 0.73 });
    assert.deepEqual(said('\u001b]9;4;1;10\u001b\\\u001b]9;4;1;20\u001b\\'), { fraction: 0.2 });
    assert.deepEqual(said('100%'), { fraction: 1 });
  });

  it('is not guessed', () => {
    for (const text of [
      'Statements   : 85.71% ( 12 of 14 )',
      '100% tests passed, 0 tests failed out of 3',
      'CPU 42%',
      '2026/11/30',
      'see [RFC/7231]',
      '[11/10] impossible',
      '[3/0]',
      '142%',
      '[[1/2',
      'http://example/1/2',
      '\u001b]9;4;3;0\u0007',
      '\u001b]9;4;0\u0007',
      '\u001b]9;4;1;900\u0007',
      '',
    ]) {
      assert.equal(said(text), undefined, text);
    }
    assert.equal(said('disk 80% memory 20%', true), undefined);
    assert.equal(said('-5%', true), undefined);
  });

  it('is never more than the whole, and no text makes it throw or slow', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('[', ']', '(', '/', '%', ' ', '1', '9', '.', '\u001b', ';', '4'),
          maxLength: 5_000,
          size: 'max',
        }),
        fc.boolean(),
        (text, redrawn) => {
          const progress = progressOf({ text, redrawn });
          if (progress && 'fraction' in progress) assert.ok(progress.fraction >= 0 && progress.fraction <= 1);
          else if (progress) assert.ok(progress.total > 0 && progress.current <= progress.total);
        },
      ),
    );
  });
});

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
    assert.ok(found.length < 3_000);
    assert.equal(found.at(-1)?.text, 'newest');
    assert.equal(lines.rest, '');
  });

  it('without an end are kept to a bounded length', () => {
    const lines = new OutputLines();
    for (let n = 0; n < 100; n += 1) lines.push(Buffer.from('x'.repeat(10_000)));
    assert.ok(lines.rest.length <= 16_384);
  });
});
