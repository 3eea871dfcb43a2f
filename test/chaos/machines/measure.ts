import { createRedisStore } from '@sitrep/server/redis';
import type { SessionChange, Store } from '@sitrep/server/store';
import { RedisServer } from '../../node/redis/redis-server.ts';

/**
 * `node test/chaos/machines/measure.ts`: what sessions, commits, looks and hints cost a Redis server on this machine. The inputs of
 * the arithmetic in docs/scale.md. Processor time is that of the server alone, as it says itself.
 */
const CARD = { revision: 1, updatedAt: 1, card: { markdown: 'progress '.repeat(150) } };
const OPERATION_TITLE = 'Run the tests of the package that was changed';
const SESSIONS = 2_000;

function event(seq: number): { seq: number; type: string; data: string } {
  return {
    seq,
    type: 'operation',
    data: JSON.stringify({
      type: 'operation',
      session: 's',
      id: `call-${seq}`,
      state: 'running',
      at: 1_700_000_000_000,
      pad: 'x'.repeat(20),
    }),
  };
}

/** A change of a session with so many operations and events so far. */
function change(session: string, from: number, to: number, operations: number): SessionChange {
  return {
    session,
    epoch: 'e',
    base: { epoch: 'e', seq: from },
    seq: to,
    updatedAt: 1_700_000_000_000 + to,
    activity: 'working',
    open: true,
    title: 'A chat about something',
    events: Array.from({ length: to - from }, (_, n) => event(from + n + 1)),
    operations: Array.from({ length: operations }, (_, n) => ({
      key: `$call-${n}`,
      position: n + 1,
      record: {
        id: `call-${n}`,
        attempt: 1,
        state: 'running',
        updatedAt: 1_700_000_000_000,
        startedAt: 1_700_000_000_000,
        title: OPERATION_TITLE,
        run: 'run-1',
      },
    })),
    removed: [],
    ...(from === 0 ? { card: CARD, runs: [{ run: 'run-1', state: 'running' as const, updatedAt: 1 }] } : {}),
  };
}

async function number(redis: RedisServer, section: string, name: string): Promise<number> {
  const text = await redis.ask('INFO', section);
  return Number(new RegExp(`${name}:([\\d.]+)`).exec(text)?.[1]);
}
const processor = async (redis: RedisServer): Promise<number> =>
  (await number(redis, 'cpu', 'used_cpu_user')) + (await number(redis, 'cpu', 'used_cpu_sys'));

/** Runs something and says what one of `count` things took. */
async function cost(redis: RedisServer, what: string, count: number, run: () => Promise<unknown>): Promise<void> {
  const [cpu, began] = [await processor(redis), performance.now()];
  await run();
  const seconds = (performance.now() - began) / 1_000;
  const used = ((await processor(redis)) - cpu) * 1e6;
  console.log(`${what}: ${Math.round(count / seconds)} a second, ${(used / count).toFixed(1)} µs of the server's processor each`);
}

async function fill(store: Store, prefix: string, events: number, operations: number): Promise<void> {
  for (let n = 0; n < SESSIONS; n += 100)
    await store.commit(Array.from({ length: 100 }, (_, m) => change(`${prefix}${n + m}`, 0, events, operations)));
}

async function memory(operations: number, events: number): Promise<void> {
  const redis = await RedisServer.start('--appendonly', 'no');
  const store = await createRedisStore(redis.url, { log: () => undefined, sessions: 1e9 });
  const before = await number(redis, 'memory', 'used_memory');
  await fill(store, 's', events, operations);
  const bytes = ((await number(redis, 'memory', 'used_memory')) - before) / SESSIONS;
  console.log(`a session with a card of 1.4 KB, ${operations} operations and ${events} events: ${(bytes / 1_024).toFixed(1)} KiB`);
  await store.close();
  await redis.remove();
}

for (const [operations, events] of [
  [5, 20],
  [20, 100],
  [50, 1_000],
] as const)
  await memory(operations, events);

for (const fsync of ['no', 'everysec', 'always']) {
  const redis = await RedisServer.start('--appendfsync', fsync);
  const store = await createRedisStore(redis.url, { log: () => undefined, sessions: 1e9 });
  await fill(store, 's', 20, 5);
  let seq = 20;
  const commit = (sessions: number, events: number) => async () => {
    for (let round = 0; round < 20; round += 1) {
      await store.commit(Array.from({ length: sessions }, (_, n) => change(`s${n}`, seq, seq + events, 1)));
      seq += events;
    }
  };
  await cost(redis, `appendfsync ${fsync}, commits of 500 sessions with one event each, events`, 20 * 500, commit(500, 1));
  await cost(redis, `appendfsync ${fsync}, the same with ten events each, events`, 20 * 500 * 10, commit(500, 10));
  const names = Array.from({ length: SESSIONS }, (_, n) => `s${n}`);
  await cost(redis, `appendfsync ${fsync}, looks at where a session stands, looks`, 20 * SESSIONS, async () => {
    for (let n = 0; n < 20; n += 1) await store.shared?.heads(names);
  });
  await cost(redis, `appendfsync ${fsync}, sessions loaded, sessions`, SESSIONS, () => Promise.all(names.map((name) => store.load(name))));
  await store.close();
  await redis.remove();
}

const redis = await RedisServer.start();
const options = { log: () => undefined };
const [writer, reader] = [await createRedisStore(redis.url, options), await createRedisStore(redis.url, options)];
const waits: number[] = [];
let sent = 0;
let told: () => void = () => undefined;
reader.shared?.watch({ changed: () => told(), reachable: () => undefined });
reader.shared?.follow('s');
for (let n = 0; n < 500; n += 1) {
  const hint = new Promise<void>((resolve) => (told = resolve));
  sent = performance.now();
  await writer.commit([change('s', n, n + 1, 1)]);
  await Promise.race([hint, new Promise((resolve) => setTimeout(resolve, 1_000))]);
  waits.push(performance.now() - sent);
}
waits.sort((a, b) => a - b);
console.log(`from a commit to its hint at another gateway: p50 ${waits[250]?.toFixed(2)} ms, p99 ${waits[495]?.toFixed(2)} ms`);
await Promise.all([writer.close(), reader.close()]);
await redis.remove();
