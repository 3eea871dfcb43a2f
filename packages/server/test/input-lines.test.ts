import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inputLines } from '../dist/cli/input-lines.js';
import type { InputLine } from '../dist/cli/input-lines.js';

async function linesOf(chunks: readonly Buffer[], maxBytes = 1_000): Promise<readonly InputLine[]> {
  async function* feed(): AsyncGenerator<Buffer> {
    yield* chunks;
  }
  const lines: InputLine[] = [];
  for await (const line of inputLines(feed(), maxBytes)) lines.push(line);
  return lines;
}

describe('the lines of a file', () => {
  it('are the same however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'ü', '🦊', '\n', '\r', '\u2028', '\uFEFF', '\0'), maxLength: 200, size: 'max' }),
        fc.array(fc.nat({ max: 400 }), { maxLength: 8 }),
        async (text, cuts) => {
          const bytes = Buffer.from(text);
          const at = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length)])].sort((a, b) => a - b);
          const chunks = at.map((from, n) => bytes.subarray(from, at[n + 1] ?? bytes.length));
          const expected = text.replace(/^\uFEFF/, '').split('\n');
          if (bytes.length === 0 || text.endsWith('\n')) expected.pop();
          // A byte order mark alone is a line without text.
          assert.deepEqual(
            (await linesOf(chunks)).map((line) => ('text' in line ? line.text : undefined)),
            expected,
          );
        },
      ),
    );
  });

  it('are skipped when they are too long, and only those', async () => {
    const lines = await linesOf([Buffer.from('12345\n123456\n1'), Buffer.from('2345'), Buffer.from('6\nx')], 5);
    assert.deepEqual(lines, [{ text: '12345' }, { tooLong: true }, { tooLong: true }, { text: 'x' }]);
  });
});
