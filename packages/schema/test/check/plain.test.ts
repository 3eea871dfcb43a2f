import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkEvent, cleanLine, cleanNote } from '@sitrep/schema/check';
import type { OperationEvent } from '@sitrep/schema';
import operation from '../../json/operation.json' with { type: 'json' };
import type { JsonSchema } from '../../scripts/json-schema.ts';
import type { Issue } from '../../src/check/issue.ts';
import { finishOperation } from '../../src/check/operation-text.ts';
import { isPlainLine, plainNoteBytes } from '../../src/check/text/plain.ts';
import { utf8LengthByHand } from '../../src/check/text/utf8.ts';
import { fromSchema, text } from './from-schema.ts';

const valid = fromSchema(operation as JsonSchema) as fc.Arbitrary<OperationEvent>;
const planes = [
  [0, 0x2ff],
  [0x300, 0xffff],
  [0x10000, 0x10ffff],
] as const;

describe('a quick answer', () => {
  it('about a line is only given where cleaning changes nothing, for every code point', () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      const line = `a${String.fromCodePoint(point)}b`;
      if (isPlainLine(line)) assert.equal(cleanLine(line), line);
    }
  });

  it('about a note is only given where cleaning changes nothing, with the right number of bytes, for every code point', () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      const note = `${String.fromCodePoint(point)}\n${String.fromCodePoint(point)}`;
      const bytes = plainNoteBytes(note);
      if (bytes < 0) continue;
      assert.equal(bytes, utf8LengthByHand(note));
      assert.equal(cleanNote(note), note);
    }
  });

  it('holds for any mixture and any length', () => {
    const stretch = fc.oneof(text, ...planes.map(([min, max]) => fc.array(fc.integer({ min, max }), { maxLength: 40 }).map(spelled)));
    const note = fc.array(fc.tuple(stretch, fc.nat({ max: 80 })), { maxLength: 40, size: 'max' }).map(padded);
    fc.assert(
      fc.property(note, (value) => {
        const bytes = plainNoteBytes(value);
        if (bytes >= 0) assert.deepEqual([cleanNote(value), bytes], [value, utf8LengthByHand(value)]);
        if (isPlainLine(value)) assert.equal(cleanLine(value), value);
      }),
      { numRuns: 2000 },
    );
  });

  it('is given for long ordinary notes in several scripts, and for pictures', () => {
    for (const word of ['plain ', 'naïve ✓ ', 'Привет мир ', '日本語 ', 'done 🚀 '])
      assert.equal(plainNoteBytes(word.repeat(400)), utf8LengthByHand(word.repeat(400)));
  });

  it('about an event never skips a text that would have been cleaned, in whatever field it stands', () => {
    fc.assert(
      fc.property(valid, (event) => {
        const issues: Issue[] = [];
        const finished = finishOperation(event, '', issues);
        const answer = checkEvent(event);
        assert.deepEqual(answer, issues.length > 0 ? { ok: false, issues } : { ok: true, value: finished });
      }),
      { numRuns: 1500 },
    );
  });
});

function spelled(points: readonly number[]): string {
  return String.fromCodePoint(...points);
}

function padded(parts: readonly (readonly [string, number])[]): string {
  return parts.map(([part, plain]) => part + 'x'.repeat(plain)).join('');
}
