import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkEvent } from '@sitrep/schema/check';
import { operationKey, reduceCard, reduceOperation, SessionIndex } from '@sitrep/schema/reduce';
import type { Operation, OperationEvent } from '@sitrep/schema';
import { isFinal } from '@sitrep/schema';
import { cardEvent, final, garbage, id, interleaved, live, producer, runEvent, runName, sessionEvent } from './arbitraries.ts';
import { indexOf, op, run, SESSION } from './events.ts';

const key = fc.record({ id, run: runName });
const twoKeys = fc.tuple(key, key).filter(([a, b]) => operationKey(a.id, a.run) !== operationKey(b.id, b.run));
const view = (index: SessionIndex) => index.snapshot(0, 'e', 0);

describe('replay', () => {
  it('of one operation leaves what one pass left', () => {
    fc.assert(
      fc.property(
        key.chain((each) => producer(each)),
        (events) => {
          assert.deepEqual(run(...events, ...events).state, run(...events).state);
        },
      ),
      { numRuns: 500 },
    );
  });
  it('of a session with operations, runs, cards and titles leaves what one pass left', () => {
    const session = fc.tuple(
      twoKeys.chain(([a, b]) => fc.tuple(producer(a), producer(b))),
      fc.array(fc.oneof(runEvent, cardEvent, sessionEvent), { maxLength: 30, size: 'max' }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
    );
    fc.assert(
      fc.property(session, ([[a, b], rest, choices]) => {
        const events = interleaved<Parameters<SessionIndex['apply']>[0]>(
          interleaved<Parameters<SessionIndex['apply']>[0]>(a, b, choices),
          rest,
          choices.toReversed(),
        );
        assert.deepEqual(view(indexOf([...events, ...events])), view(indexOf(events)));
      }),
      { numRuns: 300 },
    );
  });
  it('of the last event alone answers the same reference', () => {
    fc.assert(
      fc.property(
        key.chain((each) => producer(each)),
        (events) => {
          let state: Operation | undefined;
          for (const event of events) {
            const { state: next } = reduceOperation(state, event);
            assert.equal(reduceOperation(next, structuredClone(event)).state, next);
            state = next;
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('keys', () => {
  it('are the same exactly when run and id are', () => {
    const text = fc.string({ unit: fc.constantFrom('#', '$', '/', '0', '1', '2', 'a'), maxLength: 5 });
    const any = fc.record({ id: fc.oneof(text, fc.integer({ min: 0, max: 12 })), run: fc.oneof(text, fc.constant(undefined)) });
    fc.assert(
      fc.property(any, any, (a, b) => {
        assert.equal(operationKey(a.id, a.run) === operationKey(b.id, b.run), a.id === b.id && a.run === b.run);
      }),
      { numRuns: 5000 },
    );
    assert.notEqual(operationKey('b', '1#'), operationKey('#b', '1'));
    assert.notEqual(operationKey('x', 'a$b'), operationKey('b$x', 'a'));
  });
});

describe('two operations', () => {
  it('end as each would alone, however their events fall', () => {
    const both = twoKeys.chain(([a, b]) =>
      fc.tuple(producer(a), producer(b), fc.array(fc.boolean(), { minLength: 1, maxLength: 30, size: 'max' })),
    );
    fc.assert(
      fc.property(both, ([a, b, choices]) => {
        const index = indexOf(interleaved(a, b, choices));
        const alone = [...indexOf(a).operations, ...indexOf(b).operations];
        assert.deepEqual(new Map(index.operations), new Map(alone));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the end of an attempt', () => {
  const ended = fc
    .tuple(
      key.chain((each) => producer(each)),
      final,
    )
    .map(([events, state]) => {
      const last = events.at(-1) ?? op();
      return run(...events, { ...last, attempt: 9, seq: 20, state } as OperationEvent).state;
    });
  it('lets nothing but the same state change anything', () => {
    fc.assert(
      fc.property(ended, fc.oneof(live, final), fc.nat(100), fc.option(fc.nat(100), { nil: undefined }), (record, state, at, seq) => {
        fc.pre(state !== record.state);
        const late = op({ id: record.id, attempt: 9, at, state, message: 'late', current: 1, ...(seq === undefined ? {} : { seq }) });
        const { state: after, outcome } = reduceOperation(record, late);
        assert.equal(after, record);
        assert.ok(outcome === 'late' || outcome === 'stale' || outcome === 'duplicate');
      }),
      { numRuns: 300 },
    );
  });
  it('never gives way to a live state without a higher attempt', () => {
    fc.assert(
      fc.property(
        key.chain((each) => producer(each)),
        (events) => {
          let record: Operation | undefined;
          for (const event of events) {
            const next = reduceOperation(record, event).state;
            if (record !== undefined && isFinal(record.state) && next.attempt === record.attempt) assert.equal(next.state, record.state);
            if (record !== undefined) assert.ok(next.attempt >= record.attempt);
            record = next;
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('merging', () => {
  const fields = ['title', 'message', 'unit', 'kind', 'reason'] as const;
  const change = fc.record(
    Object.fromEntries(fields.map((field) => [field, fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined })])) as Record<
      (typeof fields)[number],
      fc.Arbitrary<string | undefined>
    >,
  );
  it('keeps what is absent, clears what is null, and is idempotent', () => {
    fc.assert(
      fc.property(change, change, fc.subarray([...fields]), (first, second, cleared) => {
        const nulls = Object.fromEntries(cleared.map((field) => [field, null]));
        const event = op({ ...(second as object), ...nulls, at: 2000 });
        const base = run(op(first as object)).state;
        const { state } = reduceOperation(base, event);
        for (const field of fields) assert.equal(state[field], cleared.includes(field) ? undefined : (second[field] ?? first[field]));
        assert.equal(reduceOperation(state, event).state, state);
      }),
    );
  });
});

describe('the card', () => {
  it('never goes back in revision', () => {
    fc.assert(
      fc.property(fc.array(cardEvent, { maxLength: 100, size: 'max' }), (events) => {
        let record = reduceCard(undefined, events[0] ?? { type: 'card', session: SESSION, revision: 1, at: 0, card: null }).state;
        for (const event of events) {
          const { state, outcome } = reduceCard(record, event);
          assert.ok(state.revision >= record.revision);
          assert.equal(outcome === 'applied', state !== record);
          record = state;
        }
      }),
    );
  });
});

describe('bounds', () => {
  const small = { operations: 3, runs: 2, tombstones: 50 };
  it('hold whatever comes, and nothing that ended stays while something live goes', () => {
    const events = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 12 }), fc.oneof(live, final)).map(([each, state]) => op({ id: each, state })),
      { maxLength: 120, size: 'max' },
    );
    fc.assert(
      fc.property(events, (list) => {
        const index = new SessionIndex(SESSION, small);
        for (const event of list) {
          const before = new Map(index.operations);
          index.apply(event);
          assert.ok(index.operations.size <= small.operations);
          const gone = [...before.values()].filter((record) => !index.operations.has(operationKey(record.id)));
          if (gone.some((record) => !isFinal(record.state)))
            assert.ok([...index.operations.values()].every((record) => !isFinal(record.state)));
        }
      }),
      { numRuns: 300 },
    );
  });
  it('never let a late event bring back what was let go or cleared', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 4, maxLength: 30, size: 'max' });
    fc.assert(
      fc.property(ids, fc.oneof(live, final), fc.boolean(), (list, state, cleared) => {
        const index = new SessionIndex(SESSION, small);
        for (const each of list) index.apply(op({ id: each, state: 'completed' }));
        if (cleared) index.apply({ type: 'operation.clear', session: SESSION, id: list.at(-1) as number, at: 1 });
        const gone = list.filter((each) => !index.operations.has(operationKey(each)));
        for (const each of gone) assert.equal(index.apply(op({ id: each, state })).outcome, 'late');
        assert.ok(gone.every((each) => !index.operations.has(operationKey(each))));
      }),
    );
  });
});

describe('hostile input', () => {
  it('is answered and never thrown at, checked or not', () => {
    fc.assert(
      fc.property(fc.array(garbage, { maxLength: 40, size: 'max' }), (values) => {
        const index = new SessionIndex(SESSION, { operations: 4, runs: 2, tombstones: 4 });
        for (const value of values) {
          const checked = checkEvent(value);
          const { outcome, changed, keys } = index.apply(checked.ok ? checked.value : (value as never));
          assert.equal(changed, outcome === 'applied');
          assert.ok(changed || keys.length === 0);
        }
        index.snapshot(0, 'e', 0);
        assert.equal(
          Object.values(index.outcomes).reduce((sum, count) => sum + count, 0),
          values.length,
        );
      }),
      { numRuns: 1000 },
    );
  });
  it('that is no event at all is invalid', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(new SessionIndex(SESSION).apply(value as never).outcome, 'invalid');
      }),
      { numRuns: 500 },
    );
  });
  it('of any depth in an extension does not exhaust the stack', () => {
    const deep = () => JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    const index = indexOf([op({ ext: { deep: deep() } })]);
    assert.equal(index.apply(op({ ext: { deep: deep() } })).outcome, 'applied');
  });
});
