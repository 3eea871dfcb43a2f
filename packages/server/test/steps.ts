/** What may happen between two looks at a session. Producers go on writing after final states, and repeat themselves. */
import fc from 'fast-check';

const id = fc.constantFrom<string | number>('a', 'b', 7, '7', '__proto__');
const run = fc.constantFrom('r1', 'r2');
/** One thing a producer may post. */
export const entry = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      {
        type: fc.constant('operation'),
        id,
        run,
        state: fc.constantFrom('pending', 'running', 'waiting', 'completed', 'failed'),
        seq: fc.nat(9),
        attempt: fc.integer({ min: 1, max: 3 }),
        message: fc.constantFrom('m', 'n', null),
        current: fc.nat(9),
      },
      { requiredKeys: ['type', 'id'] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('operation.clear'), id }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('run'), run, state: fc.constantFrom('running', 'completed', 'failed') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('card'),
      revision: fc.integer({ min: 1, max: 9 }),
      card: fc.constantFrom(null, { markdown: 'x' }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('session'), title: fc.constantFrom('T', null) }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, {}, { type: 'operation' }, { type: 'nonsense' }) },
);
/** One thing that may happen to a gateway. */
export const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('publish' as const), entries: fc.array(entry, { maxLength: 6 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      body: fc.constantFrom({}, { markdown: 'n' }, { plan: [{ step: 's', status: 'pending' }] }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'forget' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'reconnect' as const }) },
);
