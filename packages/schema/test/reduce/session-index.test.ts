import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operationKey, reduceCard, reduceRun, SessionIndex } from '@sitrep/schema/reduce';
import { indexOf, op, SESSION } from './events.ts';
import { revoked, unreadable } from '../hostile.ts';

const runEvent = (fields: object) => ({ type: 'run', session: SESSION, run: 'r1', at: 1, state: 'running', ...fields }) as never;
const card = (revision: number, body: object | null, fields: object = {}) =>
  ({ type: 'card', session: SESSION, revision, at: revision * 10, card: body, ...fields }) as never;

describe('identity', () => {
  it('tells 7 from "7", a run from none, and runs from one another', () => {
    const keys = [
      operationKey(7),
      operationKey('7'),
      operationKey(7, 'r'),
      operationKey('7', 'r'),
      operationKey('7', 'r#7'),
      operationKey('#7', 'r'),
      operationKey('r#7'),
    ];
    assert.equal(new Set(keys).size, keys.length);
  });
  it('keeps two identical calls of the same tool apart', () => {
    const tool = { name: 'bash', origin: 'native' };
    const index = indexOf([
      op({ id: 'a', seq: 1, tool, message: 'a1' }),
      op({ id: 'b', seq: 1, tool, message: 'b1' }),
      op({ id: 'b', seq: 2, state: 'completed', message: 'b2' }),
      op({ id: 'a', seq: 2, state: 'completed', message: 'a2' }),
    ]);
    assert.deepEqual(
      [...index.operations.values()].map((each) => each.message),
      ['a2', 'b2'],
    );
  });
  it('does not let the end of a child end its parent', () => {
    const index = indexOf([
      op({ id: 'p', state: 'running' }),
      op({ id: 'c', parent: 'p', state: 'running' }),
      op({ id: 'c', state: 'failed' }),
    ]);
    assert.equal(index.operations.get(operationKey('p'))?.state, 'running');
  });
  it('answers invalid to an event of another session and to what is no event', () => {
    const index = new SessionIndex(SESSION);
    for (const value of [
      null,
      7,
      'x',
      [],
      {},
      { type: 'operation' },
      { ...op(), session: 'other' },
      { ...op(), id: 1.5 },
      { ...op(), state: 'splendid' },
      { ...op(), at: 'now' },
    ]) {
      assert.equal(index.apply(value as never).outcome, 'invalid');
    }
    assert.equal(index.outcomes.invalid, 10);
    assert.equal(index.operations.size, 0);
  });
  it('answers invalid to an event that throws when it is read, and keeps what it has', () => {
    const index = indexOf([op({ title: 'T' })]);
    const held = index.operations.get(operationKey('call-1'));
    const written = { type: 'card', session: SESSION, revision: 1, at: 1, card: Object.defineProperty({}, 'plan', unreadable) };
    const run = Object.defineProperty({ type: 'run', session: SESSION, run: 'r1', at: 1, state: 'failed' }, 'reason', unreadable);
    const operations = ['type', 'at', 'id', 'state', 'title', 'usage'].map((key) => Object.defineProperty({ ...op() }, key, unreadable));
    const hostile = [revoked(), written, run, ...operations, Object.defineProperty({ ...op({ id: 'new' }) }, 'title', unreadable)];
    for (const value of hostile) assert.equal(index.apply(value as never).outcome, 'invalid');
    assert.equal(index.operations.get(operationKey('call-1')), held);
    assert.equal(index.operations.size, 1);
    assert.equal(index.runs.size, 0);
    assert.equal(index.outcomes.invalid, hostile.length);
  });
  it('answers unknown to a type of a later version', () => {
    assert.equal(new SessionIndex(SESSION).apply({ type: 'gauge', session: SESSION, at: 1 } as never).outcome, 'unknown');
  });
});

describe('runs', () => {
  it('turns what a run left open into interrupted, neither done nor running', () => {
    const index = indexOf([
      runEvent({}),
      op({ id: 'a', run: 'r1', state: 'blocked', blockedOn: { kind: 'question' } }),
      op({ id: 'b', run: 'r1', state: 'completed' }),
      op({ id: 'c', state: 'running' }),
    ]);
    const applied = index.apply(runEvent({ state: 'completed', at: 50, endedAt: 40 }));
    assert.deepEqual(applied, { outcome: 'applied', changed: true, keys: [operationKey('a', 'r1')] });
    assert.deepEqual(index.operations.get(operationKey('a', 'r1')), {
      id: 'a',
      run: 'r1',
      attempt: 1,
      state: 'interrupted',
      reason: 'run_ended',
      updatedAt: 50,
      endedAt: 40,
    });
    assert.equal(index.operations.get(operationKey('b', 'r1'))?.state, 'completed');
    assert.equal(index.operations.get(operationKey('c'))?.state, 'running');
    assert.equal(index.apply(op({ id: 'a', run: 'r1', state: 'completed' })).outcome, 'late');
  });
  it('lets a cancelled end that arrives before the end of the run stand', () => {
    const index = indexOf([
      runEvent({}),
      op({ run: 'r1', state: 'running' }),
      op({ run: 'r1', state: 'cancelled' }),
      runEvent({ state: 'cancelled', at: 9 }),
    ]);
    assert.equal(index.operations.get(operationKey('call-1', 'r1'))?.state, 'cancelled');
  });
  it('ends a run once', () => {
    const running = reduceRun(undefined, runEvent({ at: 3 })).state;
    assert.deepEqual(running, { run: 'r1', state: 'running', updatedAt: 3, startedAt: 3 });
    const done = reduceRun(running, runEvent({ state: 'completed', at: 9 })).state;
    assert.deepEqual(done, { run: 'r1', state: 'completed', updatedAt: 9, startedAt: 3, endedAt: 9 });
    assert.equal(reduceRun(done, runEvent({ state: 'failed', at: 10 })).outcome, 'late');
    assert.equal(reduceRun(done, runEvent({ state: 'completed', at: 9 })).outcome, 'duplicate');
    const moved = reduceRun(done, runEvent({ state: 'completed', at: 10, endedAt: 10 }));
    assert.deepEqual([moved.outcome, moved.state], ['late', done]);
    const reasoned = reduceRun(done, runEvent({ state: 'completed', at: 11, reason: 'stop' }));
    assert.equal(reasoned.outcome, 'applied');
    assert.equal(reasoned.state.endedAt, 9);
    assert.equal(reduceRun(running, runEvent({ at: 3 })).state, running);
  });
  it('lets finished runs go first and does not take them back', () => {
    const index = indexOf([runEvent({ run: 'a' }), runEvent({ run: 'b', state: 'completed' }), runEvent({ run: 'c' })], { runs: 2 });
    assert.deepEqual([...index.runs.keys()], ['a', 'c']);
    assert.equal(index.evicted, 1);
    assert.equal(index.apply(runEvent({ run: 'b' })).outcome, 'late');
  });
});

describe('the card', () => {
  it('is replaced whole by a higher revision', () => {
    const index = indexOf([
      card(1, { plan: [{ step: 'a', status: 'pending' }], markdown: 'n' }),
      card(2, { markdown: 'm' }, { run: 'r1' }),
    ]);
    assert.deepEqual(index.card, { revision: 2, updatedAt: 20, run: 'r1', card: { markdown: 'm' } });
  });
  it('drops an equal revision as duplicate and a lower one as stale, clears included', () => {
    const index = indexOf([card(3, { markdown: 'm' })]);
    assert.equal(index.apply(card(3, null)).outcome, 'duplicate');
    assert.equal(index.apply(card(2, null)).outcome, 'stale');
    assert.equal(index.card.revision, 3);
    assert.notEqual(index.card.card, null);
  });
  it('is cleared by null and by a body that says nothing, and keeps its revision', () => {
    for (const body of [null, {}, { plan: [] }, { markdown: ' \n\t' }, { plan: [], markdown: ' ' }]) {
      const index = indexOf([card(1, { markdown: 'm' }), card(2, body), card(1, { markdown: 'late' })]);
      assert.deepEqual([index.card.revision, index.card.card], [2, null]);
    }
  });
  it('goes on with its revision after a clear', () => {
    assert.equal(indexOf([card(1, { markdown: 'a' }), card(2, null), card(3, { markdown: 'b' })]).card.revision, 3);
  });
  it('has no final state: a finished plan can be replaced', () => {
    const done = reduceCard(undefined, card(1, { plan: [{ step: 'a', status: 'completed' }] })).state;
    assert.equal(reduceCard(done, card(2, { plan: [{ step: 'a', status: 'in_progress' }] })).outcome, 'applied');
  });
  it('is untouched by whatever is said about operations and runs', () => {
    const index = indexOf([card(1, { markdown: 'm' })]);
    const before = index.card;
    index.apply(runEvent({ state: 'completed' }));
    index.apply(op({ state: 'failed' }));
    assert.equal(index.card, before);
  });
});

describe('the session itself', () => {
  it('merges title and usage', () => {
    const index = indexOf([
      { type: 'session', session: SESSION, at: 1, title: 'T', usage: { tokens: 1 } },
      { type: 'session', session: SESSION, at: 2, usage: { tokens: 2 } },
    ]);
    assert.equal(index.title, 'T');
    assert.deepEqual(index.usage, { tokens: 2 });
    assert.equal(index.apply({ type: 'session', session: SESSION, at: 3, title: 'T' }).outcome, 'duplicate');
    index.apply({ type: 'session', session: SESSION, at: 4, title: null });
    assert.equal(index.title, undefined);
  });
});

describe('clearing', () => {
  it('takes an operation off the list, and a late event does not bring it back', () => {
    const index = indexOf([op({ state: 'completed' })]);
    const clear = { type: 'operation.clear', session: SESSION, id: 'call-1', at: 2 } as const;
    assert.deepEqual(index.apply(clear), { outcome: 'applied', changed: true, keys: [operationKey('call-1')] });
    assert.equal(index.operations.size, 0);
    assert.equal(index.apply(op({ state: 'running' })).outcome, 'late');
    assert.equal(index.apply(clear).outcome, 'unknown');
    assert.equal(index.apply(op({ attempt: 2, state: 'running' })).outcome, 'applied');
  });
  it('remembers the highest attempt, also when cleared again', () => {
    const clear = { type: 'operation.clear', session: SESSION, id: 'call-1', at: 2 } as const;
    const index = indexOf([op(), clear, op({ attempt: 2 }), clear]);
    assert.equal(index.apply(op({ attempt: 2 })).outcome, 'late');
    assert.equal(index.apply(op({ attempt: 3 })).outcome, 'applied');
  });
  it('answers unknown for an operation nobody announced', () => {
    assert.equal(new SessionIndex(SESSION).apply({ type: 'operation.clear', session: SESSION, id: 'x', at: 1 }).outcome, 'unknown');
  });
});

describe('bounds', () => {
  it('lets the operation that ended first go, then the oldest live one', () => {
    const index = indexOf(
      [
        op({ id: 1, state: 'running' }),
        op({ id: 2, state: 'running' }),
        op({ id: 3, state: 'running' }),
        op({ id: 3, state: 'failed' }),
        op({ id: 2, state: 'completed' }),
      ],
      { operations: 3 },
    );
    assert.deepEqual(index.apply(op({ id: 4, state: 'running' })).keys, [operationKey(4), operationKey(3)]);
    index.apply(op({ id: 5, state: 'running' }));
    assert.deepEqual(index.apply(op({ id: 6, state: 'running' })).keys, [operationKey(6), operationKey(1)]);
    assert.deepEqual(
      [...index.operations.values()].map((each) => each.id),
      [4, 5, 6],
    );
    assert.equal(index.evicted, 3);
    assert.equal(index.apply(op({ id: 3, state: 'running' })).outcome, 'late');
  });
  it('lets a newcomer that is already over go before anything live', () => {
    const index = indexOf([op({ id: 1, state: 'running' })], { operations: 1 });
    assert.deepEqual(index.apply(op({ id: 2, state: 'completed' })).keys, [operationKey(2)]);
    assert.deepEqual(
      [...index.operations.values()].map((each) => each.id),
      [1],
    );
  });
  it('does not count an operation as over once a new attempt runs', () => {
    const index = indexOf(
      [op({ id: 1, state: 'failed' }), op({ id: 1, attempt: 2, state: 'running' }), op({ id: 2, state: 'completed' })],
      { operations: 2 },
    );
    assert.deepEqual(index.apply(op({ id: 3 })).keys, [operationKey(3), operationKey(2)]);
  });
  it('keeps within its limits through 100,000 ids', () => {
    const index = new SessionIndex(SESSION, { operations: 100, runs: 10, tombstones: 1000 });
    for (let id = 0; id < 100_000; id += 1) {
      index.apply(op({ id, state: id % 3 === 0 ? 'completed' : 'running' }));
      if (id % 10 === 0) index.apply(runEvent({ run: `r${id}`, state: id % 20 === 0 ? 'completed' : 'running' }));
    }
    assert.equal(index.operations.size, 100);
    assert.equal(index.runs.size, 10);
    assert.equal([...index.tombstones()].length, 1000);
  });
  it('takes a limit that is no whole number for the nearest that is, or the default', () => {
    const limits = { operations: 1.5, runs: Number.NaN, tombstones: 2.5 };
    const index = indexOf(
      Array.from({ length: 9 }, (_, id) => op({ id, state: 'completed' })),
      limits,
    );
    for (let run = 0; run < 150; run += 1) index.apply(runEvent({ run: `r${run}` }));
    assert.deepEqual([index.operations.size, index.runs.size, [...index.tombstones()].length], [1, 100, 2]);
  });
  it('remembers the youngest of what it let go', () => {
    const index = indexOf(
      [1, 2, 3, 4, 5].map((id) => op({ id, state: 'completed' })),
      { operations: 1, tombstones: 2 },
    );
    assert.equal(index.apply(op({ id: 4 })).outcome, 'late');
    assert.equal(index.apply(op({ id: 1 })).outcome, 'applied');
  });
});

describe('records', () => {
  it('stay as they were told, whatever the producer does with its objects', () => {
    const usage = { tokens: 1, cost: { amount: 1, currency: 'EUR' } };
    const plan = [{ step: 'a', status: 'in_progress' }];
    const tool = { name: 'bash', origin: 'native' };
    const native = { protocol: 'x', ids: { call: 1 } };
    const index = indexOf([
      op({ state: 'running', usage, tool, native, ext: { x: { y: 1 } } }),
      card(1, { plan }),
      { type: 'session', session: SESSION, at: 1, usage },
    ]);
    const before = JSON.stringify(index.snapshot(1, 'e', 1));
    usage.cost.amount = usage.tokens = 2;
    native.ids.call = 2;
    tool.name = 'other';
    Object.assign(plan[0] as object, { status: 'completed' });
    plan.push({ step: 'b', status: 'pending' });
    assert.equal(JSON.stringify(index.snapshot(1, 'e', 1)), before);
    assert.equal(index.apply(op({ at: 1000, usage })).outcome, 'applied');
    index.apply(card(2, { plan }));
    assert.equal(index.card.card?.plan?.length, 2);
    index.apply(op({ state: 'completed', usage: { tokens: 3 } }));
    const ended = op({ state: 'completed', usage });
    assert.equal(index.apply(ended).outcome, 'applied');
    usage.tokens = 4;
    assert.equal(index.operations.get(operationKey('call-1'))?.usage?.tokens, 2);
  });
});

describe('snapshots', () => {
  const index = indexOf([
    runEvent({}),
    op({ id: 'a', run: 'r1', state: 'running' }),
    op({ id: 7, state: 'completed' }),
    card(4, { markdown: 'm' }, { run: 'r1' }),
    { type: 'session', session: SESSION, at: 1, title: 'T', usage: { tokens: 9 } },
  ]);
  const snapshot = index.snapshot(99, 'e', 5);

  it('hold all a reader needs', () => {
    assert.deepEqual(snapshot, {
      type: 'snapshot',
      session: SESSION,
      epoch: 'e',
      seq: 5,
      at: 99,
      card: { markdown: 'm' },
      revision: 4,
      cardUpdatedAt: 40,
      cardRun: 'r1',
      operations: [
        { id: 'a', run: 'r1', attempt: 1, state: 'running', updatedAt: 1000, startedAt: 1000 },
        { id: 7, attempt: 1, state: 'completed', updatedAt: 1000, endedAt: 1000 },
      ],
      runs: [{ run: 'r1', state: 'running', updatedAt: 1, startedAt: 1 }],
      title: 'T',
      usage: { tokens: 9 },
    });
  });
  it('give the same session when loaded elsewhere', () => {
    const copy = new SessionIndex(SESSION);
    copy.load(JSON.parse(JSON.stringify(snapshot)));
    assert.deepEqual(copy.snapshot(99, 'e', 5), snapshot);
  });
  it('keep the references of records that mean the same and replace the others', () => {
    const copy = new SessionIndex(SESSION);
    copy.load(snapshot);
    copy.apply(op({ id: 'new' }));
    const kept = copy.operations.get(operationKey(7));
    const { card: held } = copy;
    copy.load(JSON.parse(JSON.stringify(snapshot)));
    assert.equal(copy.operations.get(operationKey(7)), kept);
    assert.equal(copy.card, held);
    assert.equal(copy.operations.has(operationKey('new')), false);
  });
  it('do not freeze what the caller gave', () => {
    const given = JSON.parse(JSON.stringify(snapshot));
    new SessionIndex(SESSION).load(given);
    assert.equal(Object.isFrozen(given.operations[0]), false);
  });
  it('of another session change nothing', () => {
    const copy = indexOf([op()]);
    copy.load({ ...snapshot, session: 'other' });
    assert.equal(copy.operations.size, 1);
    assert.equal(copy.outcomes.invalid, 1);
  });
  it('that are none, whole or in part, change nothing', () => {
    const values: unknown[] = [
      null,
      undefined,
      [],
      'snapshot',
      { type: 'snapshot', session: SESSION },
      { ...snapshot, operations: undefined },
      { ...snapshot, operations: [null] },
      { ...snapshot, operations: [{ id: {}, state: 'running' }] },
      { ...snapshot, runs: {} },
      { ...snapshot, runs: [{ run: 7 }] },
      { ...snapshot, card: { plan: 'none' } },
      { ...snapshot, card: undefined },
      { ...snapshot, revision: '4' },
      Object.defineProperty({ ...snapshot }, 'operations', unreadable),
      { ...snapshot, operations: [Object.defineProperty({ ...snapshot.operations[0] }, 'title', unreadable)] },
    ];
    const copy = indexOf([op()]);
    const before = copy.snapshot(1, 'e', 1);
    for (const value of values) copy.load(value as never);
    assert.deepEqual(copy.snapshot(1, 'e', 1), before);
    assert.equal(copy.outcomes.invalid, values.length);
  });
  it('take their place in the bounds: what had ended goes first', () => {
    const small = new SessionIndex(SESSION, { operations: 1 });
    small.load(snapshot);
    assert.deepEqual(
      [...small.operations.values()].map((each) => each.id),
      ['a'],
    );
  });
  it('come with the remembered keys of a durable store', () => {
    const first = indexOf([op({ attempt: 3 }), { type: 'operation.clear', session: SESSION, id: 'call-1', at: 2 }]);
    const second = new SessionIndex(SESSION);
    second.load(first.snapshot(1, 'e', 1));
    for (const [key, tombstone] of first.tombstones()) second.restoreTombstone(key, tombstone);
    assert.equal(second.apply(op({ attempt: 3 })).outcome, 'late');
    assert.equal(second.apply(op({ attempt: 4 })).outcome, 'applied');
  });
});
