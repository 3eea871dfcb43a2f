import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProgressEvent } from '@sitrep/schema';
import { createGateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { HEARTBEAT_MS, KINDS, Readers } from '../../chaos/faults/readers.ts';
import type { Kind } from '../../chaos/faults/readers.ts';
import { textOf, Witness } from '../../chaos/faults/witness.ts';
import { Random } from '../../fuzz/random.ts';
import { faultProxy } from './proxy.ts';
import type { Fault } from './proxy.ts';

/**
 * What every source owes whoever reads by it, over a network that does one thing to each connection, again and again: at no
 * position it shows anything but what was true there, it never turns back, when the network is whole it shows the end, and when
 * it is closed nobody holds anything any more.
 */

/** Every source that has a network, and how a connection of it may go wrong. */
const SOURCES: readonly Kind[] = ['sse', 'event-source', 'websocket', 'polling', 'port', 'shared'];
/** Connections that go wrong, of each kind. */
const TIMES = 4;
const GATHERED: ReadonlySet<Fault> = new Set(['reset', 'half-open', 'dribble', 'drop']);
const SEED = 20_261_130;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

for (const kind of SOURCES) {
  describe(`the source ${kind}`, { concurrency: true }, () => {
    for (const fault of KINDS[kind] as readonly Fault[]) {
      it(`shows the truth and comes to the end of it, whatever ${fault} does to its connections`, { timeout: 120_000 }, async () => {
        const random = new Random(SEED);
        const kept = createMemoryStore({ events: 1_000_000, eventBytes: 1_000_000_000 });
        await using cleanUp = new AsyncDisposableStack();
        // Some of them are sent the newest of each record in place of events.
        const flushMs = GATHERED.has(fault) ? 20 : 0;
        const gateway = createGateway({ store: kept, heartbeatMs: HEARTBEAT_MS, flushMs, rateLimit: 1_000_000, log: () => undefined });
        cleanUp.defer(() => gateway.close());
        const { url } = await gateway.listen({ port: 0 });
        const proxy = cleanUp.use(await faultProxy({ target: url, random: () => random.next(), faults: [fault] }));
        const witness = new Witness('s');
        const readers = new Readers(kind, { url: proxy.url, session: 's', random }, witness);
        cleanUp.defer(() => readers.close());

        let written = 0;
        const write = (): Promise<unknown> => gateway.publish('s', [event((written += 1)), event((written += 1))]);
        await write();
        while (!readers.stores.every((store) => store.getSnapshot().loaded)) await pause(5);
        proxy.begin();
        while (proxy.total < TIMES) {
          await write();
          await pause(10);
        }
        proxy.heal();
        await write();

        const end = await gateway.snapshot('s');
        const truth = textOf(end.operations, end, end.runs);
        const there = (): boolean =>
          readers.stores.every((store) => {
            const { seq, operations, card, runs, connection } = store.getSnapshot();
            const isFresh = connection.state === 'live' || connection.state === 'resumed';
            return isFresh && seq === end.seq && textOf(operations, card, runs) === truth;
          });
        while (!there()) await pause(5);
        readers.look();
        assert.equal(readers.dropped, 0);
        const { untrue, reversals, examples } = await witness.judge(kept);
        assert.deepEqual([untrue, reversals], [0, 0], examples.join('\n'));
        assert.ok(proxy.faults[fault] >= TIMES);

        readers.close();
        while (gateway.clients > 0 || proxy.open > 0) await pause(5);
      });
    }
  });
}

/** Operations that begin, go on and end, ten at a time. */
function event(n: number): ProgressEvent {
  const step = n % 10;
  const id = `${Math.floor(n / 30)}-${n % 3}`;
  return {
    type: 'operation',
    session: 's',
    id,
    at: n,
    ...(step < 8 ? { state: 'running', current: n, message: `step ${n}, \u{1f9ed} and on` } : { state: 'completed', attempt: 1 }),
  } as ProgressEvent;
}
