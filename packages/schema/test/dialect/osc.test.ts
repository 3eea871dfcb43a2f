import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OscParser } from '@sitrep/schema/dialect';
import type { OscPiece } from '@sitrep/schema/dialect';
import { osc777, osc99, oscNotify } from '@sitrep/schema/dialect/osc-notify';
import { oscProgress } from '@sitrep/schema/dialect/osc-progress';
import { oscStatus, readStatus, writeStatus } from '@sitrep/schema/dialect/osc-status';
import { utf8Length } from '@sitrep/schema/check';

const part = fc.oneof(
  fc.constantFrom('\u001b]', '\u001b', '\u001b\\', '\u0007', '\u009d', '\u009c', '\u0018', ']', '\\', ';', '9;4;', '9;4;1;42', '7501;'),
  fc.constantFrom('\u001b]9;4;1;42\u0007', '\u001b]7501;state=done\u001b\\', '\u001b]0;title\u0007', '\u001b[1m', '\u001b]99;;Hi\u001b\\'),
  fc.string({ maxLength: 8 }),
);
const stream = fc.array(part, { maxLength: 24 }).map((parts) => parts.join(''));

function pieces(chunks: readonly string[], maxLength?: number): OscPiece[] {
  const parser = new OscParser({ maxLength });
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

const text = (all: readonly OscPiece[]): string => all.map((piece) => piece.text).join('');
const found = (all: readonly OscPiece[]): string[] => all.flatMap((piece) => (piece.osc === undefined ? [] : [piece.text]));

/** Cuts a text at the given places. */
function cut(whole: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => whole.slice(from, at[index] ?? whole.length));
}

describe('sequences in a stream', () => {
  it('are found wherever it is cut, and nothing of it is lost', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat()), (whole, places) => {
        const once = pieces([whole]);
        const split = pieces(cut(whole, places));
        assert.equal(text(once), whole);
        assert.equal(text(split), whole);
        assert.deepEqual(found(split), found(once));
        assert.deepEqual(found(pieces([...whole])), found(once));
      }),
      { numRuns: 2000 },
    );
  });

  it('are those of progress, status and notices only', () => {
    const all = pieces(['a\u001b]0;t\u0007b\u001b]9;4;1;5\u0007c\u001b]8;;http://x\u001b\\d\u001b]9;toast\u0007\u009d7501;?\u009ce']);
    assert.deepEqual(
      all.map(({ osc, text: each }) => osc ?? each),
      [
        'a\u001b]0;t\u0007b',
        { code: 9, body: '4;1;5' },
        'c\u001b]8;;http://x\u001b\\d',
        { code: 9, body: 'toast' },
        { code: 7501, body: '?' },
        'e',
      ],
    );
  });

  it('are given out as soon as they end, and text as soon as it comes', () => {
    const parser = new OscParser();
    assert.deepEqual(parser.push('building\u001b'), [{ text: 'building' }]);
    assert.deepEqual(parser.push(']9;4;1'), []);
    assert.deepEqual(parser.push(';50\u001b'), []);
    assert.deepEqual(parser.push('\\done'), [{ text: '\u001b]9;4;1;50\u001b\\', osc: { code: 9, body: '4;1;50' } }, { text: 'done' }]);
    assert.deepEqual(parser.push('\u001b'), []);
    assert.deepEqual(parser.push('[0m'), [{ text: '\u001b[0m' }]);
  });

  it('are held back no further than their limit', () => {
    const parser = new OscParser({ maxLength: 100 });
    let out = '';
    for (let index = 0; index < 1000; index++) out += text(parser.push(index === 0 ? '\u001b]9;4;' : 'x'));
    assert.ok(out.length > 800);
    assert.deepEqual(found(parser.push(`\u0007\u001b]9;4;0\u0007`)), ['\u001b]9;4;0\u0007']);
  });

  it('do not make work grow faster than the stream', () => {
    // One character a time, and openings without an end: each is looked at a bounded number of times.
    const parser = new OscParser();
    const opening = '\u001b]7501;state=working:msg=';
    let count = 0;
    for (let index = 0; index < 20_000; index++) for (const piece of parser.push(opening)) count += piece.text.length;
    assert.ok(count >= 19_000 * opening.length);
  });
});

describe('the text of a status report', () => {
  it('is base64 of UTF-8 as everybody else writes it, and read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (line) => {
        const sequence = writeStatus({ state: 'done', id: '', title: line });
        const encoded = /title=([A-Za-z0-9+/=]*)/.exec(sequence)?.[1];
        if (encoded === undefined) return;
        const read = readStatus(sequence);
        assert.ok(read?.kind === 'report');
        assert.equal(read.report.title, Buffer.from(encoded, 'base64').toString('utf8'));
        assert.equal(Buffer.from(read.report.title ?? '').toString('base64'), encoded);
      }),
    );
  });

  it('is refused where it is no UTF-8', () => {
    for (const bytes of [
      [0xff],
      [0xc0, 0x80],
      [0xe0, 0x80, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x82],
      [0xf0, 0x9f],
    ]) {
      const read = readStatus(`\u001b]7501;state=done:msg=${Buffer.from(bytes).toString('base64')}\u0007`);
      assert.equal(read?.kind, 'broken', bytes.join(' '));
    }
  });

  it('fits the limits, whatever it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 5000 }), (line) => {
        const sequence = writeStatus({ state: 'blocked', id: 'a/b', kind: 'auth', progress: 5, app: 'x', title: line, msg: line });
        assert.ok(utf8Length(sequence) <= 4096);
        assert.equal(readStatus(sequence)?.kind, 'report');
      }),
    );
  });
});

describe('a notice', () => {
  it('is cut into payloads of at most 2,048 bytes between characters', () => {
    const body = '🦊'.repeat(1500);
    const sequences = osc99({ id: 'x', title: 'T', body, urgent: false });
    const payloads = sequences.map((sequence) => Buffer.from(/;([A-Za-z0-9+/=]*).\\$/s.exec(sequence)?.[1] ?? '', 'base64'));
    assert.equal(sequences.length, 4);
    assert.ok(payloads.every((payload) => payload.length <= 2048));
    assert.equal(payloads.slice(1).map(String).join(''), body);
    assert.deepEqual(
      sequences.map((sequence) => /:d=([01])/.exec(sequence)?.[1]),
      ['0', '0', '0', '1'],
    );
  });

  it('holds no sequence of its own in either form', () => {
    const evil = '\u001b]0;x\u0007a;b\u009c';
    assert.equal(osc777({ title: evil, body: evil }), '\u001b]777;notify;a,b;a;b\u001b\\');
    for (const sequence of osc99({ id: 'x', title: evil, body: evil, urgent: true }))
      assert.equal(new OscParser().push(sequence).length, 1);
  });
});

describe('what is written for a terminal', () => {
  it('is one whole sequence each, whatever the events say', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', minLength: 1 }), (line, id) => {
        const event = {
          type: 'operation',
          session: 's',
          id,
          at: 1,
          state: 'blocked',
          title: line,
          message: line,
          current: 1,
          total: 3,
        } as const;
        for (const sequence of [oscProgress, oscStatus, oscNotify].flatMap((dialect) => dialect.encode(event))) {
          const [piece, ...rest] = new OscParser().push(sequence);
          assert.deepEqual(rest, []);
          assert.equal(piece?.text, sequence);
          assert.ok(piece.osc);
        }
      }),
    );
  });
});
