import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SessionIndex } from '@sitrep/schema/reduce';
import { FINAL_STATES, LIVE_STATES } from '@sitrep/schema/wire';
import type { Card, OperationEvent, OperationState, ProgressEvent } from '@sitrep/schema/wire';
import { SESSION } from './events.ts';
import { Model } from './model.ts';

/**
 * Producers as they are in the field: each works through its script and then goes on writing, because a buffer was flushed
 * late or a second process did not hear of the end. The network delays, repeats and swaps. The index and a plain model that
 * only knows the rules must agree on every outcome and every record.
 */

interface Step {
  readonly state?: OperationState;
  readonly amount?: number;
  readonly message?: string | null;
}

const step: fc.Arbitrary<Step> = fc.record(
  {
    state: fc.constantFrom<OperationState>(...LIVE_STATES),
    amount: fc.nat({ max: 20 }),
    message: fc.option(fc.constantFrom('a', 'b'), { nil: null }),
  },
  { requiredKeys: [] },
);

interface Script {
  readonly id: string | number;
  readonly run: string | undefined;
  readonly numbered: boolean;
  readonly attempts: readonly {
    readonly steps: readonly Step[];
    readonly end: OperationState | undefined;
    readonly late: readonly Step[];
  }[];
}

const script: fc.Arbitrary<Script> = fc.record({
  id: fc.constantFrom<string | number>('a', 'b', 7, '7'),
  run: fc.constantFrom(undefined, 'r1', 'r2'),
  numbered: fc.boolean(),
  attempts: fc.array(
    fc.record({
      steps: fc.array(step, { maxLength: 5 }),
      end: fc.option(fc.constantFrom<OperationState>(...FINAL_STATES), { nil: undefined }),
      late: fc.array(step, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

/** What one producer sends, in its own order. */
function sent({ id, run, numbered, attempts }: Script): OperationEvent[] {
  return attempts.flatMap(({ steps, end, late }, attempt) => {
    const all = [...steps, ...(end === undefined ? [] : [{ state: end }]), ...late];
    return all.map(({ state, amount, message }: Step, index) => ({
      type: 'operation' as const,
      session: SESSION,
      id,
      ...(run === undefined ? {} : { run }),
      at: attempt * 100 + index,
      attempt: attempt + 1,
      ...(numbered ? { seq: index + 1 } : {}),
      ...(state === undefined ? {} : { state }),
      ...(amount === undefined ? {} : { current: amount }),
      ...(message === undefined ? {} : { message }),
    }));
  });
}

const other: fc.Arbitrary<ProgressEvent> = fc.oneof(
  fc.record({
    type: fc.constant('run' as const),
    session: fc.constant(SESSION),
    run: fc.constantFrom('r1', 'r2'),
    state: fc.constantFrom('running' as const, 'completed' as const, 'failed' as const),
    at: fc.nat({ max: 300 }),
  }),
  fc.record({
    type: fc.constant('card' as const),
    session: fc.constant(SESSION),
    revision: fc.integer({ min: 1, max: 9 }),
    at: fc.nat({ max: 300 }),
    card: fc.constantFrom<Card | null>(null, { markdown: 'x' }, { plan: [] }, { markdown: ' ' }),
  }),
  fc
    .record({
      id: fc.constantFrom<string | number>('a', 'b', 7, '7'),
      run: fc.constantFrom(undefined, 'r1', 'r2'),
      at: fc.nat({ max: 300 }),
    })
    .map(({ id, run, at }) => ({ type: 'operation.clear' as const, session: SESSION, id, at, ...(run === undefined ? {} : { run }) })),
);

/** Where each event goes: how late, and how often. */
const network = fc.array(fc.record({ delay: fc.nat({ max: 12 }), copies: fc.integer({ min: 1, max: 2 }) }), {
  minLength: 1,
  maxLength: 40,
});

function delivered(
  scripts: readonly Script[],
  others: readonly ProgressEvent[],
  weather: readonly { delay: number; copies: number }[],
): ProgressEvent[] {
  const lists: ProgressEvent[][] = [...scripts.map(sent), [...others]];
  const inTurn: ProgressEvent[] = [];
  for (let turn = 0; lists.some((list) => turn < list.length); turn += 1)
    for (const list of lists) if (turn < list.length) inTurn.push(list[turn] as ProgressEvent);
  return inTurn
    .flatMap((event, index) => {
      const { delay, copies } = weather[index % weather.length] as { delay: number; copies: number };
      return Array.from({ length: copies }, (_, copy) => ({ event, due: index + delay * (copy + 1) }));
    })
    .sort((a, b) => a.due - b.due)
    .map(({ event }) => event);
}

describe('a session told by producers that also write late', () => {
  it('is what the rules make of it, event by event', () => {
    fc.assert(
      fc.property(
        fc.array(script, { minLength: 1, maxLength: 6 }),
        fc.array(other, { maxLength: 10 }),
        network,
        (scripts, others, weather) => {
          const index = new SessionIndex(SESSION);
          const model = new Model();
          for (const event of delivered(scripts, others, weather)) {
            const { outcome } = index.apply(event);
            assert.equal(outcome, model.apply(event), JSON.stringify(event));
            assert.deepEqual(
              [...index.operations.values()].map((record) => model.shape(record)),
              model.operations(),
            );
            assert.deepEqual({ revision: index.card.revision, card: index.card.card }, model.card);
            assert.deepEqual(new Map([...index.runs].map(([run, { state }]) => [run, state])), model.runs);
          }
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
