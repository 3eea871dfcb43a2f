import fc from 'fast-check';

/** Number of readers, each on a connection of its own. */
export const READERS = 3;

/** One thing that happens: something a producer sends, something the network does to one reader, a fault, or time. */
export type Command =
  /** A request with these entries, under an idempotency key if it has one; not waited for. */
  | { readonly do: 'publish'; readonly entries: readonly (object | null)[]; readonly key?: number }
  /** More updates than the log keeps, so that a cursor from before cannot be resumed. */
  | { readonly do: 'flood'; readonly count: number }
  /** A card is written or cleared, with the revision its writer believes in. */
  | { readonly do: 'put'; readonly body: object; readonly expects: 'nothing' | 'right' | 'old'; readonly key?: number }
  | { readonly do: 'reset' }
  /** The last request is sent once more, as it was. */
  | { readonly do: 'repeat' }
  /** Everything that can go on without time passing does. */
  | { readonly do: 'turn' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'jump'; readonly whose: 'readers' | 'gateway'; readonly ms: number }
  | { readonly do: 'deliver'; readonly who: number; readonly count: number }
  | { readonly do: 'double' | 'drop' | 'swap' | 'late'; readonly who: number; readonly at: number }
  | { readonly do: 'cut'; readonly who: number }
  /** The gateway lets go what waits for a reader, but for so much that was sent, and sends what changed or the state instead. */
  | { readonly do: 'slow'; readonly who: number; readonly mark: boolean; readonly sent: number }
  /** Somebody looks at the store, and at how it was some positions ago. */
  | { readonly do: 'look'; readonly who: number; readonly back: number }
  /** The last listener of a store goes, or comes back. */
  | { readonly do: 'leave'; readonly who: number }
  /** The next commit fails. */
  | { readonly do: 'fail' }
  /** Other sessions push this one out of the store. */
  | { readonly do: 'evict' }
  | { readonly do: 'backup' }
  /** Closed and opened again; killed at that very moment; killed with its disk; killed and begun from the backup. */
  | { readonly do: 'restart'; readonly how: 'closed' | 'killed' | 'lost' | 'restored' };

/** All names there are. */
export const IDS = ['a', 'b', 7, '7', '__proto__', 'flood'] as const;
export const RUNS = [undefined, 'r1', 'r2'] as const;

const ids = fc.constantFrom(...IDS.slice(0, 5));
const runs = fc.constantFrom(undefined, ...RUNS);
const keys = fc.constantFrom(undefined, undefined, undefined, 1, 2);
const states = fc.constantFrom(
  'pending',
  'running',
  'running',
  'running',
  'waiting',
  'blocked',
  'completed',
  'failed',
  'cancelled',
  undefined,
);
const messages = fc.constantFrom('m', 'n', null, undefined, undefined);
const attempts = fc.constantFrom(undefined, undefined, 1, 2, 3);
const seqs = fc.constantFrom(undefined, undefined, 1, 2, 3, 4, 5, 6, 7, 8);
const currents = fc.constantFrom(undefined, 0, 1, 2, 3, 5, 8, 1e308);

/** An object of the parts that are there. */
function parts(all: Record<string, unknown>): object {
  const present: Record<string, unknown> = {};
  for (const key in all) if (all[key] !== undefined) present[key] = all[key];
  return present;
}

const operations = fc
  .tuple(ids, runs, states, messages, attempts, seqs, currents)
  .map(([id, run, state, message, attempt, seq, current]) => parts({ type: 'operation', id, run, state, message, attempt, seq, current }));
const entries: fc.Arbitrary<object | null> = fc.oneof(
  { weight: 12, arbitrary: operations },
  { weight: 1, arbitrary: fc.tuple(ids, runs).map(([id, run]) => parts({ type: 'operation.clear', id, run })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('r1', 'r2'), fc.constantFrom('running', 'completed', 'failed'))
      .map(([run, state]) => ({ type: 'run', run, state })),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 12 }).map((revision) => ({ type: 'card', revision, card: { markdown: `r${revision}` } })),
  },
  { weight: 1, arbitrary: fc.constantFrom('T', 'U', null).map((title) => ({ type: 'session', title })) },
  { weight: 1, arbitrary: fc.constantFrom(null, { type: 'operation' }, { type: 'nonsense' }) },
);

const readers = fc.nat({ max: READERS - 1 });
const places = fc.nat({ max: 5 });

const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 16, arbitrary: fc.constant<Command>({ do: 'turn' }) },
  {
    weight: 24,
    arbitrary: fc.tuple(readers, fc.integer({ min: 1, max: 6 })).map(([who, count]): Command => ({ do: 'deliver', who, count })),
  },
  {
    weight: 16,
    arbitrary: fc
      .tuple(fc.array(entries, { minLength: 1, maxLength: 3 }), keys)
      .map(([sent, key]): Command => ({ do: 'publish', entries: sent, ...(key === undefined ? {} : { key }) })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom<object[]>({}, { markdown: 'note' }, { plan: [{ step: 's', status: 'in_progress' }] }),
        fc.constantFrom('nothing' as const, 'right' as const, 'right' as const, 'old' as const),
        keys,
      )
      .map(([body, expects, key]): Command => ({ do: 'put', body, expects, ...(key === undefined ? {} : { key }) })),
  },
  { weight: 2, arbitrary: fc.constant<Command>({ do: 'repeat' }) },
  { weight: 6, arbitrary: fc.constantFrom(100, 250, 1_000, 1_000, 20_000).map((ms): Command => ({ do: 'wait', ms })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('readers' as const, 'gateway' as const), fc.constantFrom(-3_600_000, -500, 3_600_000))
      .map(([whose, ms]): Command => ({ do: 'jump', whose, ms })),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom('double' as const, 'drop' as const, 'swap' as const, 'late' as const), readers, places)
      .map(([fault, who, at]): Command => ({ do: fault, who, at })),
  },
  { weight: 4, arbitrary: readers.map((who): Command => ({ do: 'cut', who })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(readers, fc.constantFrom(true, false, false), places)
      .map(([who, mark, sent]): Command => ({ do: 'slow', who, mark, sent })),
  },
  { weight: 4, arbitrary: fc.tuple(readers, fc.nat({ max: 12 })).map(([who, back]): Command => ({ do: 'look', who, back })) },
  { weight: 1, arbitrary: readers.map((who): Command => ({ do: 'leave', who })) },
  { weight: 1, arbitrary: fc.integer({ min: 9, max: 14 }).map((count): Command => ({ do: 'flood', count })) },
  { weight: 1, arbitrary: fc.constantFrom<Command[]>({ do: 'fail' }, { do: 'evict' }, { do: 'backup' }, { do: 'reset' }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('closed' as const, 'killed' as const, 'killed' as const, 'lost' as const, 'restored' as const)
      .map((how): Command => ({ do: 'restart', how })),
  },
);

/** One run: a world, and what happens in it. */
export interface Script {
  /** Operations the gateway keeps; undefined for as many as there may be. */
  readonly operationLimit: number | undefined;
  /** Milliseconds over which the gateway gathers what it tells; undefined for not at all. */
  readonly flushMs: number | undefined;
  readonly commands: readonly Command[];
}

/** The largest size, or runs would be a handful of commands long and prove little. */
export const script: fc.Arbitrary<Script> = fc.record({
  operationLimit: fc.constantFrom(undefined, undefined, undefined, 4),
  flushMs: fc.constantFrom(undefined, undefined, 100),
  commands: fc.array(commands, { maxLength: 250, size: 'max' }),
});

/** One line of a counterexample. */
export function lineOf(command: Command): string {
  const { do: what, ...rest } = command;
  return Object.keys(rest).length === 0 ? what : `${what} ${JSON.stringify(rest)}`;
}
