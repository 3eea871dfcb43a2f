import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { operationKey, reduceOperation, SessionIndex } from '@sitrep/schema/reduce';
import type { Operation, OperationEvent } from '@sitrep/schema';
import { LIVE_STATES } from '@sitrep/schema/wire';
import { interleaved, producer } from './arbitraries.ts';
import { op, SESSION } from './events.ts';

/** Events as a running tool sends them, nearly all of them new messages and amounts, some with what those are not. */
const update = fc.record(
  {
    at: fc.nat({ max: 9 }),
    seq: fc.nat({ max: 60 }),
    attempt: fc.constantFrom(1, 1, 1, 2),
    state: fc.constantFrom('running', 'running', ...LIVE_STATES, 'completed'),
    message: fc.oneof(fc.constantFrom('a', 'b'), fc.constant(null)),
    current: fc.oneof(fc.constantFrom(0, -0, 1, 2), fc.constant(null)),
    total: fc.constantFrom(3, 4),
    title: fc.constantFrom('t', 't', 't', 'u'),
    startedAt: fc.constantFrom(1, null),
    blockedOn: fc.constantFrom({ kind: 'other' } as const, null),
    waitingOn: fc.constantFrom({ text: 'w' }, null),
    ext: fc.constant({ later: true }),
  },
  { requiredKeys: ['at'] },
);
const key = fc.record({ id: fc.constantFrom<string | number>(7, '7'), run: fc.constantFrom(undefined, '', 'r1') });
const stream = key.chain((each) =>
  fc.array(
    update.map((what) => ({ type: 'operation', session: SESSION, ...each, ...what }) as OperationEvent),
    { maxLength: 40, size: 'max' },
  ),
);
const streams = fc
  .tuple(
    stream,
    fc.oneof(
      stream,
      key.chain((each) => producer(each)),
    ),
    fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
  )
  .map(([a, b, choices]) => interleaved(a, b, choices));

/** What the pure function makes of the same events, one after the other. */
function folded(events: readonly OperationEvent[]): { records: Map<string, Operation>; outcomes: string[] } {
  const records = new Map<string, Operation>();
  const outcomes = events.map((event) => {
    const { state, outcome } = reduceOperation(records.get(operationKey(event.id, event.run)), event);
    records.set(operationKey(event.id, event.run), state);
    return outcome;
  });
  return { records, outcomes };
}

describe('an index whose records are read now and then', () => {
  it('holds and answers what the pure function does, whenever it is read', () => {
    fc.assert(
      fc.property(streams, fc.array(fc.constantFrom('not', 'not', 'one', 'all'), { minLength: 1, maxLength: 7 }), (events, reads) => {
        const index = new SessionIndex(SESSION);
        const expected = folded(events);
        events.forEach((event, at) => {
          const { outcome, changed, keys } = index.apply(event);
          assert.deepEqual([outcome, changed], [expected.outcomes[at], outcome === 'applied']);
          assert.deepEqual(keys, changed ? [operationKey(event.id, event.run)] : []);
          const read = reads[at % reads.length];
          if (read === 'one') assert.ok(Object.isFrozen(index.find(event.id, event.run)));
          if (read === 'all') assert.deepEqual([...index.operations], [...folded(events.slice(0, at + 1)).records]);
        });
        assert.deepEqual([...index.operations], [...expected.records]);
      }),
      { numRuns: 1500 },
    );
  });

  it('hands out records that stay as they were', () => {
    const index = new SessionIndex(SESSION);
    index.apply(op({ state: 'running', current: 1 }));
    const first = index.find('call-1');
    assert.equal(index.operations.get(operationKey('call-1')), first);
    for (let current = 2; current < 5; current += 1) index.apply(op({ state: 'running', current, at: current }));
    assert.equal(first?.current, 1);
    const second = index.find('call-1');
    assert.equal(second?.current, 4);
    index.apply(op({ state: 'running', current: 4, at: 4 }));
    assert.equal(index.find('call-1'), second);
    assert.equal(index.snapshot(1, 'e', 1).operations[0], second);
  });

  it('hands out frozen records, one by one, all together and in a snapshot', () => {
    for (const read of [
      (index: SessionIndex) => index.find('a'),
      (index: SessionIndex) => index.operations.get(operationKey('a')),
      (index: SessionIndex) => index.snapshot(9, 'e', 9).operations[0],
    ]) {
      const index = new SessionIndex(SESSION);
      for (let seq = 1; seq <= 3; seq += 1) {
        index.apply(op({ id: 'a', seq, at: seq, state: 'running', message: `file ${seq}` }));
        const record = read(index);
        assert.equal(record?.message, `file ${seq}`);
        assert.ok(Object.isFrozen(record));
      }
    }
  });

  it('never brings back what was let go while it moved, and holds on to none of it', () => {
    const index = new SessionIndex(SESSION, { operations: 2 });
    for (let id = 0; id < 5000; id += 1) {
      index.apply(op({ id, state: 'running', at: 1 }));
      index.apply(op({ id, state: 'running', at: 2, current: id }));
    }
    assert.equal(index.evicted, 4998);
    assert.deepEqual(
      [...index.operations.values()].map(({ id, current }) => [id, current]),
      [
        [4998, 4998],
        [4999, 4999],
      ],
    );
    index.apply(op({ id: 4999, state: 'running', at: 3, current: 1 }));
    index.apply({ type: 'operation.clear', session: SESSION, id: 4999, at: 4 });
    index.apply(op({ id: 4998, state: 'running', at: 3, current: 2 }));
    index.clear();
    assert.equal(index.operations.size, 0);
    assert.equal(index.find(4998), undefined);
  });

  it('changes nothing when an event throws in the middle of being read', () => {
    const index = new SessionIndex(SESSION);
    index.apply(op({ state: 'running', at: 1, message: 'a' }));
    index.apply(op({ state: 'running', at: 2, message: 'b' }));
    const hostile = Object.defineProperty({ ...op({ state: 'running', at: 3, message: 'c' }) }, 'current', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    assert.equal(index.apply(hostile).outcome, 'invalid');
    assert.deepEqual([index.find('call-1')?.message, index.find('call-1')?.updatedAt], ['b', 2]);
  });
});
