import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS } from '@sitrep/schema';
import { checkEvent, checkProgressCardInput, checkProgressInput, checkReportProgressInput, checkSnapshot } from '@sitrep/schema/check';
import type { Checked } from '@sitrep/schema/check';

const operation = { type: 'operation', session: 's', id: 'a', at: 1 };
const report = { title: 't', current: 0, total: 1 };
const snapshot = { type: 'snapshot', session: 's', epoch: 'e', seq: 0, at: 1, card: null, revision: 0, operations: [], runs: [] };
const steps = (count: number): object[] => Array.from({ length: count }, () => ({ step: 'a', status: 'pending' }));
const records = (count: number): object[] => Array.from({ length: count }, (_, id) => ({ id, attempt: 1, state: 'running', updatedAt: 1 }));
const runs = (count: number): object[] => Array.from({ length: count }, () => ({ run: 'r', state: 'running', updatedAt: 1 }));

type Row = [what: string, limit: number, check: (size: number, letter: string) => Checked<unknown>, code: string];

const event =
  (make: (text: string) => object): Row[2] =>
  (size, letter) =>
    checkEvent({ ...operation, ...make(letter.repeat(size)) });

/** Limits that count code points: an astral character counts one. */
const CODE_POINTS: Row[] = [
  ['a session key', LIMITS.id, event((session) => ({ session })), 'too_long'],
  ['an id', LIMITS.id, event((id) => ({ id })), 'too_long'],
  ['a run key', LIMITS.id, event((run) => ({ run })), 'too_long'],
  ['a parent', LIMITS.id, event((parent) => ({ parent })), 'too_long'],
  ['a title', LIMITS.title, event((title) => ({ title })), 'too_long'],
  ['an active title', LIMITS.title, event((activeTitle) => ({ activeTitle })), 'too_long'],
  ['a message', LIMITS.message, event((message) => ({ message })), 'too_long'],
  ['an error message', LIMITS.message, event((message) => ({ error: { message } })), 'too_long'],
  ['an error code', LIMITS.word, event((code) => ({ error: { message: '', code } })), 'too_long'],
  ['a prompt', LIMITS.message, event((prompt) => ({ blockedOn: { kind: 'auth', prompt } })), 'too_long'],
  ['a request id', LIMITS.id, event((requestId) => ({ blockedOn: { kind: 'auth', requestId } })), 'too_long'],
  ['a waiting text', LIMITS.message, event((text) => ({ waitingOn: { text } })), 'too_long'],
  ['a unit', LIMITS.word, event((unit) => ({ unit })), 'too_long'],
  ['a kind', LIMITS.word, event((kind) => ({ kind })), 'too_long'],
  ['a reason', LIMITS.word, event((reason) => ({ reason })), 'too_long'],
  ['a tool name', LIMITS.word, event((name) => ({ tool: { name, origin: 'mcp' } })), 'too_long'],
  ['a native state', LIMITS.word, event((state) => ({ native: { protocol: 'x', state } })), 'too_long'],
  ['a usage label', LIMITS.word, event((label) => ({ usage: { label } })), 'too_long'],
  ['a reported title', LIMITS.title, (size, letter) => checkReportProgressInput({ ...report, title: letter.repeat(size) }), 'too_long'],
  [
    'a reported message',
    LIMITS.message,
    (size, letter) => checkReportProgressInput({ ...report, message: letter.repeat(size) }),
    'too_long',
  ],
  ['a progress id', LIMITS.id, (size, letter) => checkProgressInput({ id: letter.repeat(size), status: 'done' }), 'too_long'],
  [
    'a progress detail',
    LIMITS.message,
    (size, letter) => checkProgressInput({ id: 'a', status: 'done', detail: letter.repeat(size) }),
    'too_long',
  ],
];

/** Limits that count UTF-8 bytes: sizes are in bytes of one-byte letters. */
const BYTES: Row[] = [
  [
    'a step',
    LIMITS.stepBytes,
    (size, letter) => checkProgressCardInput({ plan: [{ step: letter.repeat(size), status: 'pending' }] }),
    'too_many_bytes',
  ],
  ['a note', LIMITS.noteBytes, (size, letter) => checkProgressCardInput({ markdown: letter.repeat(size) }), 'too_many_bytes'],
  [
    'a stored step',
    LIMITS.stepBytes,
    (size, letter) =>
      checkEvent({ type: 'card', session: 's', revision: 1, at: 1, card: { plan: [{ step: letter.repeat(size), status: 'failed' }] } }),
    'too_many_bytes',
  ],
  [
    'a stored note',
    LIMITS.noteBytes,
    (size, letter) => checkEvent({ type: 'card', session: 's', revision: 1, at: 1, card: { markdown: letter.repeat(size) } }),
    'too_many_bytes',
  ],
  [
    'a note in a snapshot',
    LIMITS.noteBytes,
    (size, letter) => checkSnapshot({ ...snapshot, card: { markdown: letter.repeat(size) }, revision: 1 }),
    'too_many_bytes',
  ],
];

const COUNTS: Row[] = [
  ['a plan', LIMITS.planSteps, (size) => checkProgressCardInput({ plan: steps(size) }), 'too_many'],
  [
    'a stored plan',
    LIMITS.planSteps,
    (size) => checkEvent({ type: 'card', session: 's', revision: 1, at: 1, card: { plan: steps(size) } }),
    'too_many',
  ],
  ['the operations of a snapshot', LIMITS.operations, (size) => checkSnapshot({ ...snapshot, operations: records(size) }), 'too_many'],
  ['the runs of a snapshot', LIMITS.runs, (size) => checkSnapshot({ ...snapshot, runs: runs(size) }), 'too_many'],
];

function holds(check: Row[2], size: number, letter: string): void {
  const answer = check(size, letter);
  assert.ok(answer.ok, JSON.stringify(answer));
}

function breaks(check: Row[2], size: number, letter: string, code: string, limit: number): void {
  const answer = check(size, letter);
  assert.ok(!answer.ok);
  assert.deepEqual(
    answer.issues.map((issue) => issue.code),
    [code],
  );
  assert.match(answer.issues[0]?.message ?? '', new RegExp(`\\b${limit}\\b`), 'the message names the limit');
}

describe('limits in code points', () => {
  for (const [what, limit, check, code] of CODE_POINTS) {
    it(`${what} holds ${limit}, astral ones too, and not one more`, () => {
      for (const letter of ['a', 'é', '🚀']) {
        holds(check, limit, letter);
        breaks(check, limit + 1, letter, code, limit);
        breaks(check, 3 * limit, letter, code, limit);
      }
    });
  }
});

describe('limits in UTF-8 bytes', () => {
  for (const [what, limit, check, code] of BYTES) {
    it(`${what} holds ${limit}, whatever they spell, and not one more`, () => {
      for (const [letter, width] of [
        ['a', 1],
        ['é', 2],
        ['🚀', 4],
      ] as const) {
        holds(check, limit / width, letter);
        breaks(check, limit / width + 1, letter, code, limit);
        breaks(check, 3 * limit, letter, code, limit);
      }
      holds(check, Math.floor(limit / 3), '中');
      breaks(check, Math.floor(limit / 3) + 1, '中', code, limit);
    });
  }
});

describe('limits in number', () => {
  for (const [what, limit, check, code] of COUNTS) {
    it(`${what} may have ${limit} entries and not one more`, () => {
      holds(check, limit, '');
      breaks(check, limit + 1, '', code, limit);
    });
  }

  it('a sequence, an attempt and an id go as far as whole numbers are exact', () => {
    const max = Number.MAX_SAFE_INTEGER;
    assert.ok(checkEvent({ ...operation, id: max, seq: max, attempt: max }).ok);
    assert.ok(checkEvent({ ...operation, id: -max, seq: 0, attempt: 1 }).ok);
    for (const wrong of [{ id: max + 1 }, { seq: max + 1 }, { attempt: max + 1 }, { seq: -1 }, { attempt: 0 }, { seq: 0.5 }])
      assert.equal(checkEvent({ ...operation, ...wrong }).ok, false);
  });

  it('numbers are finite', () => {
    for (const wrong of [NaN, Infinity, -Infinity, '1', true])
      for (const field of ['current', 'total', 'fraction', 'at']) assert.equal(checkEvent({ ...operation, [field]: wrong }).ok, false);
    assert.equal(checkEvent(JSON.parse('{"type":"operation","session":"s","id":"a","at":1,"current":1e400}')).ok, false);
    for (const wrong of [NaN, Infinity, 1.2, -0.1, '0.5', null])
      assert.equal(checkProgressInput({ id: 'a', status: 'running', progress: wrong }).ok, false);
    for (const wrong of [NaN, Infinity, 0, -1, '5', null]) assert.equal(checkReportProgressInput({ ...report, total: wrong }).ok, false);
    assert.ok(checkEvent({ ...operation, current: -0, total: 0, fraction: -1e308 }).ok);
  });
});

describe('carried data', () => {
  const ext = (value: unknown): Checked<unknown> => checkEvent({ ...operation, ext: value });
  it('holds its limit of JSON characters and not one more', () => {
    const room = LIMITS.ext - JSON.stringify({ a: '' }).length;
    assert.ok(ext({ a: 'x'.repeat(room) }).ok);
    assert.equal(ext({ a: 'x'.repeat(room + 1) }).ok, false);
    assert.ok(ext({ a: '"'.repeat(room / 2 - 1) }).ok);
    assert.equal(ext({ a: '"'.repeat(room / 2 + 1) }).ok, false);
  });

  it('is JSON: a value that cannot be written as JSON is refused, wherever it stands', () => {
    for (const value of [{ a: 1n }, { a: [{ b: 1n }] }]) {
      const answer = ext(value);
      assert.ok(!answer.ok);
      assert.deepEqual(answer.issues, [{ path: '/ext', code: 'type', message: 'ext must hold only what JSON can, but holds a bigint.' }]);
    }
  });
  it('is measured as JSON is written', () => {
    const sample = { a: [1, -2.5, null, true, false, 'é"\n', [], {}], b: { c: { d: 'x' } }, e: undefined };
    const size = JSON.stringify(sample).length;
    const padding = LIMITS.ext - size - JSON.stringify({ pad: '' }).length + 1;
    assert.ok(ext({ ...sample, pad: 'x'.repeat(padding) }).ok);
    assert.equal(ext({ ...sample, pad: 'x'.repeat(padding + 1) }).ok, false);
  });

  it('is bounded for the identifiers of a peer too', () => {
    const answer = checkEvent({ ...operation, native: { protocol: 'x', ids: { a: 'x'.repeat(LIMITS.ext) } } });
    assert.deepEqual(answer.ok ? [] : answer.issues.map(({ path, code }) => [path, code]), [['/native/ids', 'too_long']]);
  });
});
