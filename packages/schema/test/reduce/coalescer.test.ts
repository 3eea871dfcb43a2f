import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkStreamEvent } from '@sitrep/schema/check';
import { Coalescer, SessionIndex } from '@sitrep/schema/reduce';
import type { Outcome } from '@sitrep/schema/reduce';
import { SESSION } from './events.ts';

const AT = 1_764_500_000_000;

/** A reader of texts: everything at once, or with what may wait held back. Counts outcomes and refusals alike. */
class Reader {
  readonly index = new SessionIndex(SESSION, { operations: 3 });
  readonly outcomes: Partial<Record<Outcome | 'refused', number>> = {};
  readonly told: string[] = [];
  held = 0;
  readonly #coalescer: Coalescer | undefined;

  constructor(coalescer?: Coalescer) {
    this.#coalescer = coalescer;
  }

  take(text: string): void {
    const coalescer = this.#coalescer;
    const matched = coalescer?.match(text);
    if (coalescer && matched) {
      this.held += 1;
      this.#count('applied');
      coalescer.put(matched, text);
      if (coalescer.full) this.read();
      return;
    }
    const value: unknown = JSON.parse(text);
    this.#apply(coalescer?.before(value) ?? []);
    const checked = checkStreamEvent(value);
    if (!checked.ok) return this.#count('refused', checked.issues[0]?.message);
    const event = checked.value;
    if (
      event.type === 'snapshot' ||
      event.type === 'changes' ||
      event.type === 'heartbeat' ||
      event.type === 'resync' ||
      event.type === 'end'
    )
      return;
    const applied = this.index.apply(event);
    this.#count(applied.outcome, applied.outcome === 'applied' ? undefined : text);
    if (event.type === 'operation') coalescer?.learn(text, event, applied);
    else coalescer?.forget();
  }

  read(): unknown {
    this.#apply(this.#coalescer?.release() ?? []);
    return this.index.snapshot(0, 'e', 0);
  }

  #apply(texts: readonly string[]): void {
    for (const text of texts) {
      const checked = checkStreamEvent(JSON.parse(text));
      assert.ok(checked.ok && checked.value.type === 'operation');
      assert.equal(this.index.apply(checked.value).outcome, 'applied', text);
    }
  }

  #count(outcome: Outcome | 'refused', why?: string): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
    if (why !== undefined) this.told.push(why);
  }
}

/** Makes one text of a stream; `seq` rises from one to the next. */
type Line = (seq: number) => string;

const ids = fc.constantFrom<string | number>('a', 'b', 7, '7', 'q"\\', 'd');
const message = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('', 'x', 'Compiling source file 12', 'a,"seq":1', 'tab\t', 'back\\slash', 'é', '\u001b[1mred') },
  { weight: 1, arbitrary: fc.constantFrom('y'.repeat(260), 'z'.repeat(500), 'z'.repeat(501)) },
);
const amount = fc.oneof(fc.nat({ max: 9 }), fc.constantFrom(-0, 0.5, -3, 1e21, 1e-7, 5e-324));

const update = fc.record({ id: ids, message, current: amount }).map(
  ({ id, ...rest }): Line =>
    (seq) =>
      JSON.stringify({ type: 'operation', session: SESSION, id, seq, at: AT + (seq % 7), state: 'running', ...rest }),
);
const odd = fc
  .record(
    {
      id: ids,
      run: fc.constantFrom('r1', 'r2'),
      attempt: fc.constantFrom(1, 2),
      seq: fc.nat({ max: 60 }),
      at: fc.constantFrom(AT, 5, 4_102_444_800_001),
      state: fc.constantFrom('pending', 'running', 'waiting', 'blocked', 'completed', 'failed', 'hovering'),
      message: fc.oneof(message, fc.constant(null)),
      current: fc.oneof(amount, fc.constant(null), fc.constant('5')),
      total: amount,
      title: fc.constantFrom('t', 'u', null),
      startedAt: fc.constantFrom(AT, null),
      blockedOn: fc.constantFrom({ kind: 'permission' }, null),
      waitingOn: fc.constantFrom({ text: 'w' }, null),
      ext: fc.constantFrom({ seq: 1 }, { deep: { seq: 2, 'a,"seq":': 3 } }),
      later: fc.constantFrom(1, 2),
    },
    { requiredKeys: ['id'] },
  )
  .map(
    ({ id, ...rest }): Line =>
      (seq) =>
        JSON.stringify({ type: 'operation', session: SESSION, id, seq, at: AT, state: 'running', ...rest }),
  );
const repeated = fc.record({ line: odd, times: fc.nat({ max: 6 }) });
const other = fc
  .constantFrom<object>(
    { type: 'operation.clear', session: SESSION, id: 'a', at: AT },
    { type: 'run', session: SESSION, run: 'r1', state: 'completed', at: AT },
    { type: 'run', session: SESSION, run: 'r1', state: 'running', at: AT },
    { type: 'card', session: SESSION, revision: 1, at: AT, card: { markdown: 'x' } },
    { type: 'session', session: SESSION, at: AT, title: 'x' },
    { type: 'operation', session: 'other', id: 'a', seq: 1, at: AT, state: 'running', message: 'x', current: 1 },
    { at: AT, type: 'operation', session: SESSION, id: 'a', seq: 1 },
    [1],
  )
  .map(
    (value): Line =>
      () =>
        JSON.stringify(value),
  );
const spaced = update.map(
  (line): Line =>
    (seq) =>
      line(seq).replace(',"at"', ', "at"'),
);
const reordered = odd.map(
  (line): Line =>
    (seq) =>
      JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line(seq)) as object).toReversed())),
);
const doubled = update.map(
  (line): Line =>
    (seq) =>
      line(seq).replace('}', ',"state":"completed"}'),
);
const lines = fc
  .array(
    fc.oneof(
      { weight: 14, arbitrary: fc.record({ line: update, times: fc.nat({ max: 9 }) }) },
      { weight: 6, arbitrary: repeated },
      { weight: 3, arbitrary: fc.oneof(other, spaced, doubled, reordered, reordered).map((line) => ({ line, times: 1 })) },
    ),
    { maxLength: 30, size: 'max' },
  )
  .map((parts) => parts.flatMap(({ line, times }) => Array.from({ length: times + 1 }, () => line)).map((line, seq) => line(seq + 1)));

describe('a stream of which updates are held back', () => {
  it('leaves the same records, outcomes and refusals as one that is read whole, whenever it is looked at', () => {
    let held = 0;
    fc.assert(
      fc.property(lines, fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), (texts, looks) => {
        const whole = new Reader();
        const spared = new Reader(new Coalescer(SESSION));
        texts.forEach((text, at) => {
          whole.take(text);
          spared.take(text);
          if (looks[at % looks.length]) assert.deepEqual(spared.read(), whole.read());
          assert.deepEqual(spared.outcomes, whole.outcomes);
        });
        assert.deepEqual(spared.read(), whole.read());
        assert.deepEqual(spared.told, whole.told);
        held += spared.held;
      }),
      { numRuns: 2000 },
    );
    assert.ok(held > 5000, `only ${held} were held back: the streams show nothing`);
  });

  const running = (id: string, seq: number, rest: object = {}) =>
    JSON.stringify({ type: 'operation', session: SESSION, id, seq, at: AT, state: 'running', message: `file ${seq}`, ...rest });

  it('forgets an operation that moved in a text of another form', () => {
    const reader = new Reader(new Coalescer(SESSION));
    for (let seq = 1; seq <= 5; seq += 1) reader.take(running('a', seq));
    reader.take(JSON.stringify({ id: 'a', type: 'operation', session: SESSION, seq: 6, at: AT, state: 'completed' }));
    reader.take(running('a', 7));
    assert.deepEqual([reader.index.find('a')?.state, reader.outcomes], ['completed', { applied: 6, late: 1 }]);
  });

  it('parses one of many updates', () => {
    const reader = new Reader(new Coalescer(SESSION));
    for (let seq = 1; seq <= 100; seq += 1) reader.take(running('a', seq));
    assert.equal(reader.held, 98);
    assert.equal(reader.index.find('a')?.message, 'file 2');
    reader.read();
    assert.equal(reader.index.find('a')?.message, 'file 100');
  });

  it('reads every update of what goes on waiting for a person', () => {
    const reader = new Reader(new Coalescer(SESSION));
    for (let seq = 1; seq <= 9; seq += 1) {
      reader.take(running('a', seq, { state: 'blocked', blockedOn: { kind: 'auth' } }));
      assert.equal(reader.index.find('a')?.message, `file ${seq}`);
    }
    assert.equal(reader.held, 0);
  });

  it('reads what ends, what waits for a person and what falls back in sequence at once, after what was held back', () => {
    for (const [last, said, outcome] of [
      [running('a', 9, { state: 'completed' }), 'file 9', 'completed'],
      [running('a', 9, { state: 'blocked', blockedOn: { kind: 'auth' } }), 'file 9', 'blocked'],
      [running('a', 3, { state: 'completed' }), 'file 5', 'running'],
    ] as const) {
      const reader = new Reader(new Coalescer(SESSION));
      for (let seq = 1; seq <= 5; seq += 1) reader.take(running('a', seq));
      reader.take(last);
      assert.deepEqual([reader.index.find('a')?.message, reader.index.find('a')?.state], [said, outcome]);
    }
  });

  it('holds back no more text than a few megabytes, and stops trying where nothing can be spared', () => {
    const coalescer = new Coalescer(SESSION);
    const reader = new Reader(coalescer);
    for (let seq = 1; seq <= 40_000; seq += 1) reader.take(running('a', seq, { current: seq }));
    assert.ok(reader.held > 39_000);
    assert.ok(Number(reader.index.find('a')?.current) > 20_000, 'nothing was read in between');
    const restless = new Reader(new Coalescer(SESSION));
    for (let seq = 1; seq <= 2000; seq += 1) restless.take(running('b', seq, { unit: `u${seq}` }));
    for (let seq = 2001; seq <= 2100; seq += 1) restless.take(running('b', seq));
    assert.equal(restless.held, 0);
    assert.equal(restless.index.find('b')?.message, 'file 2100');
  });
});
