import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cleanLine, cleanNote, cleanOpenClaw } from '@sitrep/schema/check';
import { text } from './from-schema.ts';
import { timesTheWork } from '../work.ts';

const RUNS = { numRuns: 3000 };
/** Nothing but what has to be decided about, so that every neighbourhood comes up. */
const dense = fc.array(
  fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\r',
    '\u001b',
    '[',
    ']',
    '\\',
    '\u0007',
    '\u009b',
    '\u009d',
    '\u009c',
    '\u200b',
    '\u200d',
    '\u200c',
    '\ufe0f',
    '\u{e0100}',
    '\ud83d',
    '\udc00',
    '\udb40',
    '\udc41',
    '👩',
    '🏽',
    '🏴',
    '\u{e0067}',
    '\u{e0062}',
    '\u{e007f}',
    'ن',
    '葛',
  ),
  { maxLength: 24, size: 'max' },
);
const any = fc.oneof(
  text,
  dense.map((parts) => parts.join('')),
  fc.string({ unit: 'binary', size: 'max', maxLength: 60 }),
);

/** Written out once more in the plainest form, to hold the fast forms against. */
const GONE = new RegExp(
  `[${[
    '\\p{Cc}\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0',
    '\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0080}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}\\ud800-\\udfff',
  ].join('')}]`,
  'u',
);
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}/u;
const STRAY_TAG = /(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0000}-\u{e007f}]/u;
const OPENCLAW = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

describe('a cleaned line', () => {
  it('cleans to itself', () =>
    fc.assert(
      fc.property(any, (value) => assert.equal(cleanLine(cleanLine(value)), cleanLine(value))),
      RUNS,
    ));

  it('holds no control, no line break, nothing invisible and no half character', () => {
    fc.assert(
      fc.property(any, (value) => {
        const line = cleanLine(value);
        assert.doesNotMatch(line, GONE);
        assert.doesNotMatch(line, SELECTORS);
        assert.doesNotMatch(line, STRAY_TAG);
      }),
      RUNS,
    );
  });

  it('is never longer than what it was made of', () =>
    fc.assert(
      fc.property(any, (value) => assert.ok(cleanLine(value).length <= value.length)),
      RUNS,
    ));

  it('is the text itself where there is only ordinary writing', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'abc ÄöÜßéñ 中文 한국어 日本語 ру привет ✓→…🚀🙂'), maxLength: 80, size: 'max' });
    fc.assert(
      fc.property(plain, (value) => assert.equal(cleanLine(value), value)),
      RUNS,
    );
  });
});

describe('a cleaned note', () => {
  it('cleans to itself', () =>
    fc.assert(
      fc.property(any, (value) => assert.equal(cleanNote(cleanNote(value)), cleanNote(value))),
      RUNS,
    ));

  it('keeps line feeds and tabs and no other control', () => {
    fc.assert(
      fc.property(any, (value) => {
        const note = cleanNote(value);
        assert.doesNotMatch(note.replace(/[\n\t]/g, ''), GONE);
        assert.doesNotMatch(note, SELECTORS);
      }),
      RUNS,
    );
  });

  it('has as many lines as were written, in whatever form they ended', () => {
    for (const end of ['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'])
      assert.equal(cleanNote(['a', 'b', '', 'c'].join(end)), 'a\nb\n\nc');
  });
});

describe('the openclaw-2026.9 profile', () => {
  it('strips exactly its ranges', () =>
    fc.assert(
      fc.property(any, (value) => assert.equal(cleanOpenClaw(value), value.replace(OPENCLAW, ''))),
      RUNS,
    ));
  it('strips and keeps what was seen of it, point by point', () => {
    const stripped = [0x200b, 0x200f, 0x202a, 0x202e, 0x2060, 0x2064, 0x206a, 0x206f, 0xfeff, 0xe0000, 0xe007f];
    const kept = [0xad, 0x34f, 0x61c, 0x180e, 0x2028, 0x2029, 0x202f, 0x2065, 0x2066, 0x2069, 0x3164, 0xfe0f, 0xfff9, 0xe0100, 0, 0x1b];
    for (const codePoint of stripped) assert.equal(cleanOpenClaw(`a${String.fromCodePoint(codePoint)}b`), 'ab', codePoint.toString(16));
    for (const codePoint of kept)
      assert.equal(cleanOpenClaw(String.fromCodePoint(codePoint)), String.fromCodePoint(codePoint), codePoint.toString(16));
  });
});

describe('escape sequences', () => {
  const families: Record<string, string> = {
    'CSI colour': '\u001b[1;38;5;200m',
    'CSI with a private parameter': '\u001b[?25l',
    'CSI with an intermediate': '\u001b[4 q',
    'CSI in one character': '\u009b2K',
    'OSC ended by BEL': '\u001b]0;title\u0007',
    'OSC ended by ST': '\u001b]8;;https://example.org\u001b\\',
    'OSC in one character': '\u009d0;title\u009c',
    'OSC 52': '\u001b]52;c;c2VjcmV0\u0007',
    DCS: '\u001bP1$r0m\u001b\\',
    SOS: '\u001bXtext\u001b\\',
    PM: '\u001b^text\u001b\\',
    APC: '\u001b_text\u001b\\',
    'APC broken off': '\u001b_text\u0018',
    'two characters': '\u001b7',
    'full reset': '\u001bc',
    'character set': '\u001b(B',
    'single shift': '\u001bOA',
    'stray ESC': '\u001b',
  };
  for (const [name, sequence] of Object.entries(families)) {
    it(`of the kind ${name} leave the text around them`, () => {
      assert.equal(cleanLine(`before ${sequence}\u00fcber`), 'before über');
      assert.equal(cleanNote(`before ${sequence}\nafter`), 'before \nafter');
    });
  }
  it('that follow each other leave nothing of themselves', () =>
    assert.equal(cleanLine('\u001b[31m\u001b[1m\u001b]0;x\u0007red\u001b[0m\u001b[K'), 'red'));
  it('put together by removing others are removed too', () =>
    assert.ok(!cleanLine('\u001b\u001b[0m[31m\u001b\u200b[1m').includes('\u001b')));
});

describe('joiners', () => {
  const kept = {
    'a family': '👨‍👩‍👧‍👦',
    'a profession with a skin tone': '👩🏽‍🚀',
    'a heart on fire': '❤️‍🔥',
    'the rainbow flag': '🏳️‍🌈',
    'a keycap': '1️⃣',
    'a country flag': '🇺🇳',
    'the flag of Wales': '🏴󠁧󠁢󠁷󠁬󠁳󠁿',
    'a Persian word': 'می‌خواهم',
    'an Arabic letter in its joined form': 'ه‍',
    'a Hindi conjunct': 'क्‍ष',
    'a Malayalam chillu': 'ന്‍',
    'a Sinhala conjunct': 'ශ්‍රී',
    'a Bengali conjunct': 'র‍্য',
    'a text presentation': '☺︎',
    'an ideographic variant': '葛\u{e0100}',
    'a Mongolian letter in another form': 'ᠠ\u180b',
    'a Chakma conjunct': '𑄇𑄴\u200d',
    'a Shan letter': 'ꩡ\u200d',
  };
  for (const [name, value] of Object.entries(kept)) {
    it(`stay in ${name}`, () => {
      assert.equal(cleanLine(value), value);
      assert.equal(cleanLine(`a ${value} b`), `a ${value} b`);
      assert.equal(cleanNote(`${value}\u200b`), value);
    });
  }
  it('go where nothing is joined', () => {
    assert.equal(cleanLine('a\u200db\u200c c\u200d'), 'ab c');
    assert.equal(cleanLine('👩\u200d'), '👩');
    assert.equal(cleanLine('\u200d👩'), '👩');
    assert.equal(cleanLine('👩\u200c👩'), '👩👩');
    assert.equal(cleanLine('👩\u200d\u200d\u200d👩'), '👩\u200d👩');
    assert.equal(cleanLine('ن\u200c\u200d\u200cن'), 'ن\u200cن');
  });
  it('carry no message in selectors or tags', () => {
    const hidden = [...'attack at dawn'].map((letter) => String.fromCodePoint(0xe0100 + letter.charCodeAt(0))).join('');
    const tags = [...'attack at dawn'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    assert.equal(cleanLine(`😀${hidden}`), '😀');
    assert.equal(cleanLine(`ok ${tags}`), 'ok ');
    assert.equal(cleanLine(`🏴${tags}\u{e007f}`), '🏴');
    assert.equal(cleanLine(` \ufe0f\ufe0f\ufe01`), ' ');
    assert.equal(cleanLine('ok\u180b\u180c\u180d\u180f\u180b'), 'ok');
    assert.equal(cleanLine('ᠠ\u180b\u180c\u180d'), 'ᠠ\u180b');
  });
});

describe('redrawn lines', () => {
  it('leave what was written last', () => {
    assert.equal(cleanLine('Downloading 1 %\rDownloading 50 %\rDownloading 100 %'), 'Downloading 100 %');
    assert.equal(cleanLine('50 %\r\u001b[2K100 %\r\n'), '100 %');
    assert.equal(cleanLine('first\nspin |\rspin /\rspin done'), 'first spin done');
    assert.equal(cleanLine('kept\r\u200d'), 'kept');
    assert.equal(cleanLine('\r\r'), '');
  });
});

/**
 * The sizes differ 32-fold: linear work keeps the ratio near that, quadratic work near its square. The bound lies between
 * the two, far enough from the first that a busy machine does not reach it.
 */
describe('cleaning', () => {
  const hostile: Record<string, (size: number) => string> = {
    'unclosed control strings': (size) => '\u001b]'.repeat(size),
    'unclosed C1 strings with payload': (size) => '\u009dabcdefg'.repeat(size),
    'one endless C1 string': (size) => `\u009d${'a'.repeat(size * 4)}`,
    'endless parameters': (size) => `\u001b[${'1;'.repeat(size * 2)}`,
    'endless intermediates': (size) => `\u001b${' '.repeat(size * 4)}`,
    joiners: (size) => '\u200d'.repeat(size * 2),
    'tags after a flag': (size) => `🏴${'\u{e0061}'.repeat(size * 2)}`,
    'carriage returns': (size) => 'a\r'.repeat(size * 2),
    'halves of characters': (size) => '\ud83d'.repeat(size * 2),
    selectors: (size) => '❤\ufe0f\ufe0f'.repeat(size),
  };
  for (const [name, make] of Object.entries(hostile)) {
    it(`takes work in proportion to the text for ${name}`, () => {
      const [small, large] = [make(4_000), make(128_000)];
      for (const clean of [cleanLine, cleanNote]) {
        clean(small);
        const ratio = timesTheWork(
          () => clean(large),
          () => clean(small),
          32 * 8,
        );
        assert.ok(ratio < 32 * 8, `32 times the text took ${ratio.toFixed(0)} times the work`);
      }
    });
  }
});
