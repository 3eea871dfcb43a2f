import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { codePointLength, exceedsUtf8, truncate, truncateBytes, utf8Length } from '@sitrep/schema/check';
import { utf8LengthByHand } from '../../dist/check/text/utf8.js';
import { text } from './from-schema.ts';

const any = fc.oneof(
  text,
  fc.string({ unit: 'binary', size: 'max', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('a', 'é', '中', '🚀', '\ud800'), maxLength: 6000, size: 'max' }),
);
const encoder = new TextEncoder();

describe('lengths', () => {
  it('count code points as the language does', () =>
    fc.assert(fc.property(any, (value) => assert.equal(codePointLength(value), [...value].length))));

  it('count bytes as an encoder writes them, by hand too', () => {
    fc.assert(
      fc.property(any, (value) => {
        const bytes = encoder.encode(value).length;
        assert.equal(utf8Length(value), bytes);
        assert.equal(utf8LengthByHand(value), bytes);
      }),
    );
  });

  it('count bytes across the end of the reused buffer', () => {
    for (const letter of ['a', 'é', '中', '🚀', '\ud800']) {
      for (const count of [4095, 4096, 4097, 16_383, 16_384, 16_385, 50_000]) {
        const value = letter.repeat(count);
        assert.equal(utf8Length(value), encoder.encode(value).length);
        assert.equal(utf8Length(`x${value}`), encoder.encode(value).length + 1);
      }
    }
  });

  it('exceed a limit exactly when the bytes do', () => {
    fc.assert(
      fc.property(any, fc.nat({ max: 20_000 }), (value, max) => assert.equal(exceedsUtf8(value, max), encoder.encode(value).length > max)),
    );
    for (const max of [511, 512, 513, 8191, 8192, 8193, 16_380, 16_381, 16_382, 16_384, 40_000]) {
      for (const letter of ['a', 'é', '中', '🚀']) {
        const width = encoder.encode(letter).length;
        const fits = letter.repeat(Math.floor(max / width));
        assert.equal(exceedsUtf8(fits, max), false);
        assert.equal(exceedsUtf8(fits + letter, max), true);
      }
    }
  });
});

describe('lengths on an engine without an encoder', () => {
  it('are the same', async () => {
    const platform = globalThis as { TextEncoder?: unknown };
    const { TextEncoder } = platform;
    delete platform.TextEncoder;
    try {
      const address = '../../src/check/text/utf8.ts?without-encoder';
      const bare = (await import(address)) as { utf8Length: typeof utf8Length; exceedsUtf8: typeof exceedsUtf8 };
      for (const value of ['', 'abc', 'é', '中文', '🚀', '\ud800x', 'é'.repeat(4096), 'é'.repeat(4097)]) {
        assert.equal(bare.utf8Length(value), encoder.encode(value).length);
        assert.equal(bare.exceedsUtf8(value, 8192), encoder.encode(value).length > 8192);
      }
    } finally {
      platform.TextEncoder = TextEncoder;
    }
  });
});

describe('a shortened text', () => {
  it('is within its limit of code points, ends in a mark, and begins like the text', () => {
    fc.assert(
      fc.property(any, fc.nat({ max: 300 }), (value, max) => {
        const short = truncate(value, max);
        assert.ok(codePointLength(short) <= max);
        if ([...value].length <= max) assert.equal(short, value);
        else if (max > 0) assert.ok(short.endsWith('…') && value.startsWith(short.slice(0, -1)));
      }),
    );
  });

  it('is within its limit of bytes, ends in a mark where one fits, and begins like the text', () => {
    fc.assert(
      fc.property(any, fc.nat({ max: 300 }), (value, max) => {
        const short = truncateBytes(value, max);
        assert.ok(encoder.encode(short).length <= max);
        if (encoder.encode(value).length <= max) assert.equal(short, value);
        else assert.ok(max < 3 ? value.startsWith(short) : short.endsWith('…') && value.startsWith(short.slice(0, -1)));
      }),
    );
  });

  it('is cut between code points and leaves no joiner behind', () => {
    assert.equal(truncate('🚀🚀🚀', 2), '🚀…');
    assert.equal(truncateBytes('🚀🚀🚀', 9), '🚀…');
    assert.equal(truncateBytes('🚀🚀🚀', 11), '🚀🚀…');
    assert.equal(truncate('👨‍👩‍👧', 3), '👨…');
    assert.equal(truncate('abc', 0), '');
    assert.equal(truncateBytes('abc', 2), 'ab');
  });

  it('has no half of a flag at its end, which would be text nobody sees', () => {
    const wales = '🏴󠁧󠁢󠁷󠁬󠁳󠁿';
    assert.equal(truncate(`${wales}abc`, 8), `${wales}…`);
    for (let max = 2; max < 8; max++) assert.equal(truncate(`${wales}abc`, max), '🏴…');
    for (let max = 7; max < 31; max++) assert.equal(truncateBytes(`${wales}abcd`, max), '🏴…');
    assert.equal(truncateBytes(`${wales}abcd`, 31), `${wales}…`);
  });
  it('keeps a text at the limit whole', () => {
    assert.equal(truncate('🚀'.repeat(120), 120), '🚀'.repeat(120));
    assert.equal(truncate('🚀'.repeat(121), 120), `${'🚀'.repeat(119)}…`);
    assert.equal(truncateBytes('é'.repeat(256), 512), 'é'.repeat(256));
    assert.equal(truncateBytes('é'.repeat(257), 512), `${'é'.repeat(254)}…`);
  });
});
