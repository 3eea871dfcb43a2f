import fc from 'fast-check';
import type { CardEvent, OperationEvent, RunEvent, SessionEvent, Step } from '@sitrep/schema/wire';
import { FINAL_STATES, LIVE_STATES, OPERATION_STATES, RUN_STATES } from '@sitrep/schema/wire';
import { SESSION } from './events.ts';

const time = fc.integer({ min: 0, max: 50 });
const word = fc.constantFrom('', 'a', 'b', 'Building project', 'سلام', '👩‍👩‍👧');
const amount = fc.oneof(fc.constantFrom(0, -1, 1, 42, 100, 0.5, 1e300, -0), fc.double({ noNaN: true, noDefaultInfinity: true }));
const json = fc.jsonValue({ maxDepth: 3 });

const clearable = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary }, { weight: 1, arbitrary: fc.constant(null) });

/** Numbers and texts of the same digits, on purpose. */
export const id = fc.constantFrom<string | number>(7, '7', 0, '0', 'a', '#7');
export const runName = fc.constantFrom(undefined, 'r1', 'r2');

/** Everything an operation event may say besides its place. */
const content = fc.record(
  {
    state: fc.constantFrom(...OPERATION_STATES),
    title: clearable(word),
    activeTitle: clearable(word),
    message: clearable(word),
    current: clearable(amount),
    total: clearable(amount),
    fraction: clearable(fc.double({ min: 0, max: 1, noNaN: true })),
    unit: clearable(fc.constantFrom('files', 'bytes')),
    kind: clearable(word),
    tool: clearable(fc.record({ name: fc.constantFrom('bash', 'grep'), origin: fc.constantFrom('native', 'mcp') })),
    parent: clearable(id),
    reason: clearable(word),
    error: clearable(fc.record({ message: word })),
    blockedOn: clearable(fc.record({ kind: fc.constantFrom('permission', 'question', 'auth', 'other') })),
    waitingOn: clearable(fc.record({ text: word })),
    startedAt: clearable(time),
    endedAt: clearable(time),
    cancellable: clearable(fc.boolean()),
    cancelRequested: clearable(fc.boolean()),
    ambient: clearable(fc.boolean()),
    usage: clearable(fc.record({ tokens: fc.nat() })),
    native: clearable(fc.record({ protocol: fc.constant('progress'), state: word })),
    ext: clearable(fc.dictionary(word, json, { maxKeys: 3 })),
  },
  { requiredKeys: [] },
);

const place = { at: time, attempt: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }) };

function assemble(
  key: { id: string | number; run: string | undefined },
  { attempt, ...rest }: { at: number; attempt: number | undefined; seq?: number },
  what: object,
): OperationEvent {
  return {
    type: 'operation',
    session: SESSION,
    id: key.id,
    ...(key.run === undefined ? {} : { run: key.run }),
    ...(attempt === undefined ? {} : { attempt }),
    ...rest,
    ...what,
  } as OperationEvent;
}

/**
 * Events of one operation as producers write them, disciplined or not: states after the end, repeated ids, attempts in
 * any order, sequences that repeat and fall. A producer either numbers its events or it does not.
 */
export const producer = (key: { id: string | number; run: string | undefined }, maxLength = 30): fc.Arbitrary<OperationEvent[]> =>
  fc
    .oneof(
      fc.array(fc.tuple(fc.record({ ...place, seq: fc.nat({ max: 12 }) }), content), { maxLength, size: 'max' }),
      fc.array(fc.tuple(fc.record(place), content), { maxLength, size: 'max' }),
    )
    .map((events) => events.map(([where, what]) => assemble(key, where, what)));

/** Runs that start, end and are spoken of after their end. */
export const runEvent: fc.Arbitrary<RunEvent> = fc.record({
  type: fc.constant('run' as const),
  session: fc.constant(SESSION),
  run: fc.constantFrom('r1', 'r2'),
  state: fc.constantFrom(...RUN_STATES),
  at: time,
});

/** Card writes in any order of revision, clears and bodies that say nothing included. */
export const cardEvent: fc.Arbitrary<CardEvent> = fc.record({
  type: fc.constant('card' as const),
  session: fc.constant(SESSION),
  revision: fc.integer({ min: 1, max: 20 }),
  at: time,
  card: fc.oneof(
    fc.constant(null),
    fc.constant({}),
    fc.constant({ plan: [] as Step[], markdown: ' ' }),
    word.map((markdown) => ({ markdown })),
  ),
});

export const sessionEvent: fc.Arbitrary<SessionEvent> = fc.record(
  {
    type: fc.constant('session' as const),
    session: fc.constant(SESSION),
    at: time,
    title: clearable(word),
    usage: clearable(fc.record({ tokens: fc.nat() })),
  },
  { requiredKeys: ['type', 'session', 'at'] },
);

/** Two lists as one, each in its own order. */
export const interleaved = <T>(left: readonly T[], right: readonly T[], choices: readonly boolean[]): T[] => {
  const result: T[] = [];
  const [a, b] = [[...left], [...right]];
  for (let step = 0; a.length > 0 || b.length > 0; step += 1) {
    const next = (choices[step % Math.max(1, choices.length)] === true && a.length > 0) || b.length === 0 ? a.shift() : b.shift();
    result.push(next as T);
  }
  return result;
};

export const final = fc.constantFrom(...FINAL_STATES);
export const live = fc.constantFrom(...LIVE_STATES);

/** JSON that looks like an event in some places and like nothing in others. */
export const garbage = fc.oneof(
  json,
  fc.record(
    {
      type: fc.oneof(fc.constantFrom('operation', 'operation.clear', 'card', 'run', 'session', 'snapshot', 'heartbeat', 'gauge'), json),
      session: fc.oneof(fc.constant(SESSION), json),
      id: fc.oneof(id, json),
      run: fc.oneof(fc.constantFrom('r1', undefined), json),
      at: fc.oneof(time, json),
      state: fc.oneof(fc.constantFrom(...OPERATION_STATES), json),
      seq: fc.oneof(fc.nat(), json),
      attempt: fc.oneof(fc.nat(), json),
      revision: fc.oneof(fc.nat(), json),
      card: fc.oneof(fc.constantFrom(null, {}), fc.record({ plan: json, markdown: json }), json),
      title: json,
      usage: json,
      tool: json,
      ext: json,
      blockedOn: json,
    },
    { requiredKeys: [] },
  ),
);
