import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createMemorySink } from '@sitrep/harness/sink';
import { createReporter } from '@sitrep/harness/reporter';
import type { Reporter } from '@sitrep/harness/reporter';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { Operation, OperationEvent } from '@sitrep/schema/wire';
import { ManualClock } from './support/manual-clock.ts';

/** One move of a tool, or time that passes. */
type Move =
  | { readonly kind: 'update'; readonly current?: number; readonly message?: string; readonly total?: number | null }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'back'; readonly ms: number }
  | { readonly kind: 'wait' | 'block' | 'resume' | 'pause' };

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        kind: fc.constant('update' as const),
        current: fc.nat(1000),
        message: fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom('a', 'b', 'c') }),
        total: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.constant(null)),
      },
      { requiredKeys: ['kind'] },
    ),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(300) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('wait' as const, 'block' as const, 'resume' as const, 'pause' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('back' as const), ms: fc.nat(5000) }) },
);
const END = ['complete', 'fail', 'cancel', 'deny', 'interrupt', undefined] as const;

/** A clock whose wall time may be set back while its timers go on. */
class WallClock extends ManualClock {
  offset = 0;
  readonly #running: () => number;

  constructor() {
    super();
    this.#running = this.now;
    this.now = () => this.#running() + this.offset;
  }
}

function play(moves: readonly Move[], end: (typeof END)[number], throttleMs: number) {
  const sink = createMemorySink();
  const clock = new WallClock();
  const reporter = createReporter({ sink, session: 's', id: 'x', clock, throttleMs });
  const states: string[] = ['running'];
  for (const each of moves) {
    act(reporter, clock, each);
    if (reporter.state !== states.at(-1)) states.push(reporter.state);
  }
  if (end !== undefined) {
    reporter[end]();
    states.push(reporter.state);
  }
  const events = sink.events as readonly OperationEvent[];
  return { events, clock, reporter, states };
}

function act(reporter: Reporter, clock: WallClock, each: Move): void {
  switch (each.kind) {
    case 'update': {
      const { kind: _, ...patch } = each;
      reporter.update(patch);
      return;
    }
    case 'pass':
      return clock.advance(each.ms);
    case 'back':
      clock.offset -= each.ms;
      return;
    case 'pause':
      reporter.update({ state: 'paused' });
      return;
    default:
      reporter[each.kind]();
  }
}

function record(events: readonly OperationEvent[]): Operation | undefined {
  const index = new SessionIndex('s');
  for (const event of events) index.apply(event);
  return [...index.operations.values()][0];
}

describe('the throttle, whatever a tool does', () => {
  it('never loses the newest of anything: after one throttle the record is what an unthrottled one would be', () => {
    fc.assert(
      fc.property(
        fc.array(move, { maxLength: 60 }),
        fc.constantFrom(...END),
        fc.integer({ min: 1, max: 500 }),
        (moves, end, throttleMs) => {
          const held = play(moves, end, throttleMs);
          held.clock.advance(throttleMs);
          const each = play(moves, end, 0);
          const known = ({ state, current, total, message }: Partial<Operation> = {}): unknown => ({ state, current, total, message });
          assert.deepEqual(known(record(held.events)), known(record(each.events)));
          assert.deepEqual(held.clock.pending, []);
        },
      ),
    );
  });

  it('never holds or merges a change of state: every one is sent, in order, at its own time', () => {
    fc.assert(
      fc.property(
        fc.array(move, { maxLength: 60 }),
        fc.constantFrom(...END),
        fc.integer({ min: 1, max: 500 }),
        (moves, end, throttleMs) => {
          const { events, states } = play(moves, end, throttleMs);
          assert.deepEqual(
            events.flatMap(({ state }) => state ?? []),
            states,
          );
        },
      ),
    );
  });

  it('keeps two updates apart by its time, and its sequence without a gap', () => {
    fc.assert(
      fc.property(
        fc.array(
          move.filter(({ kind }) => kind === 'update' || kind === 'pass'),
          { maxLength: 80 },
        ),
        fc.integer({ min: 1, max: 500 }),
        (moves, throttleMs) => {
          const { events, clock } = play(moves, undefined, throttleMs);
          clock.advance(throttleMs);
          const updates = events.filter(({ state }) => state === undefined).map(({ at }) => at);
          for (const [index, at] of updates.entries()) if (index > 0) assert.ok(at - (updates[index - 1] ?? 0) >= throttleMs);
          assert.deepEqual(
            events.map(({ seq }) => seq),
            events.map((_, index) => index + 1),
          );
        },
      ),
    );
  });

  it('lets no update wait longer than its time', () => {
    fc.assert(
      fc.property(
        fc.array(
          move.filter(({ kind }) => kind !== 'back'),
          { maxLength: 60 },
        ),
        fc.integer({ min: 1, max: 500 }),
        (moves, throttleMs) => {
          const { clock } = play(moves, undefined, throttleMs);
          for (const ms of clock.pending) assert.ok(ms <= throttleMs, `${ms} of ${throttleMs}`);
        },
      ),
    );
  });
});
