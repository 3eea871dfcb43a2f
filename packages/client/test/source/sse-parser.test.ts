import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { createSseParser } from '../../dist/source/sse-parser.js';

interface Parsed {
  readonly messages: (readonly [event: string | undefined, data: string, id: string | undefined])[];
  readonly retries: number[];
  readonly refused: number;
  readonly lastId: string | undefined;
}

function parse(chunks: Iterable<Uint8Array>, maxEventSize = 16_777_216): Parsed {
  const messages: [string | undefined, string, string | undefined][] = [];
  const retries: number[] = [];
  let refused = 0;
  const parser = createSseParser({
    onMessage: ({ event, data, id }) => void messages.push([event, data, id]),
    onRetry: (ms) => void retries.push(ms),
    onTooLarge: () => void refused++,
    maxEventSize,
  });
  for (const chunk of chunks) parser.feed(chunk);
  return { messages, retries, refused, lastId: parser.lastId };
}

const encoder = new TextEncoder();
const bytes = (text: string) => encoder.encode(text);
const join = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...bytes(part)] : part)));
const each = (input: Uint8Array) => Array.from(input, (byte) => Uint8Array.of(byte));
const datas = (parsed: Parsed) => parsed.messages.map(([, data]) => data);
const BOM = [0xef, 0xbb, 0xbf];

/** One row of the conformance table: the input, the data of the events, and what else must hold. Whole and byte by byte. */
const rows: [name: string, input: Uint8Array, expected: string[], more?: (parsed: Parsed) => void][] = [
  ['one byte order mark goes', join(BOM, 'data: a\n\n'), ['a']],
  ['only one byte order mark goes', join(BOM, BOM, 'data: a\n\ndata: b\n\n'), ['b']],
  ['a byte order mark later on is text', join('data: a\n\n', BOM, 'data: b\n\ndata: c\n\n'), ['a', 'c']],
  ['the text of a mark read as Latin-1 is no mark', join('ï»¿data: a\n\ndata: b\n\n'), ['b']],
  ['line feeds end lines', join('data: a\n\n'), ['a']],
  ['carriage returns end lines', join('data: a\r\rdata: b\r\r'), ['a', 'b']],
  ['pairs end lines', join('data: a\r\n\r\ndata: b\r\n\r\n'), ['a', 'b']],
  ['all line ends may be mixed', join('data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\r'), ['a\nb\nc', 'd']],
  ['bad UTF-8 becomes replacement characters', join('data: ', [0xff, 0xc3], 'x\n\n'), ['\uFFFD\uFFFDx']],
  ['characters of four bytes survive', join('data: 🦊é\n\n'), ['🦊é']],
  ['a null character stays in data', join('data: a\0b\n\n'), ['a\0b']],
  [
    'an id with a null character is ignored',
    join('id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n'),
    ['a', 'b'],
    (p) => assert.equal(p.lastId, '1'),
  ],
  ['an id alone moves the position', join('id: 1\ndata: a\n\nid: 2\n\n'), ['a'], (p) => assert.equal(p.lastId, '2')],
  ['an empty id resets the position', join('id: 1\ndata: a\n\nid\ndata: b\n\n'), ['a', 'b'], (p) => assert.equal(p.lastId, '')],
  [
    'an id is carried as the position, not as that of the next event',
    join('id: 1\ndata: a\n\ndata: b\n\n'),
    ['a', 'b'],
    (p) => assert.deepEqual([p.lastId, p.messages[1]], ['1', [undefined, 'b', undefined]]),
  ],
  ['comments are nothing', join(': hello\n\n:\n\ndata: a\n: more\n\n'), ['a']],
  ['empty data is an event', join('data\n\ndata:\n\n'), ['', '']],
  ['empty data lines make empty lines', join('data\ndata\n\n'), ['\n']],
  ['only one leading space goes, a tab stays', join('data:  a\n\ndata:\tb\n\n'), [' a', '\tb']],
  ['fields are told apart by case and unknown ones ignored', join('Data: x\ndat: x\n data: x\nfoo\ndata: a\n\n'), ['a']],
  [
    'the event name is taken and reset',
    join('event: x\ndata: a\n\ndata: b\n\n'),
    ['a', 'b'],
    (p) => assert.deepEqual([p.messages[0]![0], p.messages[1]![0]], ['x', undefined]),
  ],
  ['an event name alone is nothing', join('event: x\n\ndata: a\n\n'), ['a']],
  [
    'retry takes digits only',
    join('retry: 500\nretry: 1.5\nretry: -5\nretry: 100x\nretry:\ndata: a\n\n'),
    ['a'],
    (p) => assert.deepEqual(p.retries, [500]),
  ],
  [
    'an event that is not finished is dropped and its id not taken over',
    join('id: 1\ndata: a\n\nid: 2\ndata: b\n'),
    ['a'],
    (p) => assert.equal(p.lastId, '1'),
  ],
  [
    'an id too long for a header is ignored',
    join(`id: 1\ndata: a\n\nid: ${'x'.repeat(2000)}\ndata: b\n\n`),
    ['a', 'b'],
    (p) => assert.deepEqual([p.lastId, p.refused, p.messages[1]![2]], ['1', 1, undefined]),
  ],
];

for (const [name, input, expected, more] of rows) {
  test(`In an event stream ${name}`, () => {
    for (const chunks of [[input], each(input)]) {
      const parsed = parse(chunks);
      assert.deepEqual(datas(parsed), expected);
      more?.(parsed);
    }
  });
}

test('An event that a lone carriage return ends is delivered without waiting for more', () => {
  assert.deepEqual(datas(parse([join('data: a\r\r')])), ['a']);
});

test('A line of 1 MB and ten thousand lines arrive whole, also byte by byte', () => {
  const long = 'x'.repeat(1_000_000);
  const input = bytes(`data: ${long}\n\n`);
  assert.deepEqual(datas(parse([input])), [long]);
  assert.deepEqual(datas(parse(each(input))), [long]);
  const many = parse([bytes(`${'data: y\n'.repeat(10_000)}\n`)]);
  assert.equal(datas(many)[0], Array(10_000).fill('y').join('\n'));
});

test('An event over the cap is skipped, its id with it, and the stream goes on behind it wherever the chunks are cut', () => {
  const big = 'z'.repeat(3_000);
  for (const [text, end] of [
    [`id: 2\ndata: ${big}\n\n`, '\n\n'],
    [`id: 2\r\ndata: ${big}\r\n\r\n`, '\r\n'],
    [`id: 2\rdata: ${big}\r\r`, '\r'],
    [`id: 2\n${'data: zzzzzzzzz\n'.repeat(400)}\n`, '\n'],
    [`data: ${big}\nid: 2\n\n`, '\n'],
  ] as const) {
    const input = bytes(`id: 1\ndata: a\n\n${text}id: 3\ndata: b${end}${end}`);
    for (const size of [1, 2, 3, 7, 100, 1024, 4096, input.length]) {
      const chunks = Array.from({ length: Math.ceil(input.length / size) }, (_, i) => input.subarray(i * size, (i + 1) * size));
      const parsed = parse(chunks, 1024);
      assert.deepEqual(
        parsed,
        {
          messages: [
            [undefined, 'a', '1'],
            [undefined, 'b', '3'],
          ],
          retries: [],
          refused: 1,
          lastId: '3',
        },
        `${JSON.stringify(end)} in ${size}`,
      );
    }
    const before = parse([input.subarray(0, input.indexOf(0x7a) + 3000)], 1024);
    assert.equal(before.lastId, '1');
  }
});

test('Any cut in two gives the same events', () => {
  const input = join(
    BOM,
    'retry: 700\r\n\r\nid: e:1\nevent: operation\ndata: {"a":"é🦊"}\n\n: ping\n\nid: e:2\rdata: x\rdata: y\r\r\n',
    'event: heartbeat\ndata: {}\n\nid\n\nid: e:3\r\ndata: ',
    [0xff],
    'z\r\n\r\ndata: not finished\n',
  );
  const whole = parse([input]);
  assert.equal(whole.messages.length, 4);
  for (let cut = 0; cut <= input.length; cut++) {
    assert.deepEqual(parse([input.subarray(0, cut), input.subarray(cut)]), whole, `cut at ${cut}`);
  }
});

const piece = fc.constantFrom(
  'data',
  'id',
  'event',
  'retry',
  ':',
  ': ',
  ' ',
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  'x',
  '7',
  'é',
  '🦊',
  '\uFEFF',
  '\0',
  'data: {"a":1}\n\n',
  'id: e:1\n',
  'ï»¿',
);

test('Any stream cut in any way gives the same events', () => {
  fc.assert(
    fc.property(fc.array(piece, { size: 'max', maxLength: 200 }), fc.array(fc.nat(40), { minLength: 1, maxLength: 50 }), (parts, sizes) => {
      const input = bytes(parts.join(''));
      const chunks: Uint8Array[] = [];
      for (let at = 0, i = 0; at < input.length; i++) {
        const size = sizes[i % sizes.length]! || 1;
        chunks.push(input.subarray(at, at + size));
        at += size;
      }
      const parsed = parse(chunks);
      assert.deepEqual(parsed, parse([input]));
      assert.deepEqual(parse(each(input)), parsed);
    }),
    { numRuns: 300 },
  );
});

test('Any stream gives what another parser of the standard finds in it', () => {
  fc.assert(
    fc.property(fc.array(piece, { size: 'max', maxLength: 200 }), (parts) => {
      // A mark at the very beginning is taken off by one side from bytes and by the other from text.
      const text = `:\n${parts.join('')}`;
      const messages: [string | undefined, string, string | undefined][] = [];
      const retries: number[] = [];
      const other = createParser({
        onEvent: ({ event, data, id }) => void messages.push([event, data, id]),
        onRetry: (ms) => void retries.push(ms),
      });
      other.feed(text);
      const parsed = parse([bytes(text)]);
      assert.deepEqual([parsed.messages, parsed.retries], [messages, retries]);
    }),
    { numRuns: 1000 },
  );
});
