/** What it costs that an acknowledged event is on the disk, and what a reader that comes back costs the store. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createGateway } from '@sitrep/server';
import type { Gateway } from '@sitrep/server';
import { createSqliteStore } from '@sitrep/server/sqlite';
import type { Item, Options } from '../item.ts';
import { GatewayProcess } from '../load/gateway-process.ts';

const SESSIONS = 200;
/** Events in one request of a producer, and producers that wait for their answers at a time. */
const BATCH = 50;
const PRODUCERS = 32;
/** One card is written beside so many requests. */
const CARDS = 10;
const NOTE = 'Compiles what changed, then runs the tests of it. '.repeat(20);

const GROUPED = 'ours: grouped commits';
const KEYED = 'ours: the same with keys';
const SINGLE = 'ours: one event a commit';
const FILE = 'a file, synced by 100 lines';
const TABLE = 'SQLite, one event a commit';

interface Figures {
  /** Nanoseconds on the wall for one event. */
  readonly time: number[];
  /** Nanoseconds of the processor for one event. */
  readonly cpu: number[];
  /** Milliseconds from asking to the answer. */
  readonly p50: number[];
  readonly p99: number[];
}

/** Times one case: `run` answers how many events it stored, and how long each answer took. */
async function timed(into: Figures, run: () => Promise<{ readonly events: number; readonly answers: readonly number[] }>): Promise<void> {
  const used = process.cpuUsage();
  const began = performance.now();
  const { events, answers } = await run();
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(used);
  const sorted = answers.toSorted((a, b) => a - b);
  into.time.push((took * 1e6) / events);
  into.cpu.push(((user + system) * 1e3) / events);
  into.p50.push(sorted[Math.floor(sorted.length * 0.5)] ?? 0);
  into.p99.push(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
}

const event = (session: string, n: number) =>
  ({
    type: 'operation',
    session,
    id: `op ${n % 5}`,
    at: 1_764_500_000_000 + n,
    state: 'running',
    current: n,
    total: 1e9,
    message: `file ${n}`,
  }) as const;

/** Many producers at once, each waiting for its answer. */
async function produce(gateway: Gateway, total: number, isKeyed: boolean): Promise<{ events: number; answers: number[] }> {
  const answers: number[] = [];
  const last = Math.ceil(total / BATCH);
  let requests = 0;
  const producer = async (): Promise<void> => {
    for (let n = (requests += 1); n <= last; n = requests += 1) {
      const session = `s${(n * 13) % SESSIONS}`;
      const events = Array.from({ length: BATCH }, (_, k) => event(session, n * BATCH + k));
      // What a request over HTTP has at hand; without a key nobody looks at it.
      const key = isKeyed
        ? { idempotencyKey: `${performance.timeOrigin} ${performance.now()} ${n}`.replaceAll(' ', '-'), text: `${n}`.padEnd(BATCH * 150) }
        : {};
      const began = performance.now();
      await Promise.all([
        gateway.publish(session, events, key),
        n % CARDS === 0
          ? gateway.putCard(session, { markdown: `${NOTE}${n}`, plan: [{ step: `step ${n}`, status: 'in_progress' }] })
          : undefined,
      ]);
      answers.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: PRODUCERS }, producer));
  return { events: last * BATCH, answers };
}

async function oneByOne(gateway: Gateway, total: number): Promise<{ events: number; answers: number[] }> {
  const answers: number[] = [];
  for (let n = 1; n <= total; n += 1) {
    const session = `s${n % SESSIONS}`;
    const began = performance.now();
    await gateway.publish(session, [event(session, n)]);
    answers.push(performance.now() - began);
  }
  return { events: total, answers };
}

async function table(file: string, total: number): Promise<{ events: number; answers: number[] }> {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS e (n INTEGER PRIMARY KEY, data TEXT)');
  const insert = db.prepare('INSERT INTO e (data) VALUES (?)');
  const answers: number[] = [];
  for (let n = 1; n <= total; n += 1) {
    const began = performance.now();
    insert.run(JSON.stringify(event('s', n)));
    answers.push(performance.now() - began);
  }
  db.close();
  return { events: total, answers };
}

async function lines(file: string, total: number): Promise<{ events: number; answers: number[] }> {
  const handle = openSync(file, 'a');
  const answers: number[] = [];
  for (let n = 0; n < total; n += 100) {
    const began = performance.now();
    writeSync(handle, Array.from({ length: 100 }, (_, k) => `${JSON.stringify(event('s', n + k))}\n`).join(''));
    fdatasyncSync(handle);
    answers.push(performance.now() - began);
  }
  closeSync(handle);
  return { events: total, answers };
}

async function durable(directory: string, { quick, progress }: Options): Promise<Record<string, Figures>> {
  const gateway = createGateway({ store: createSqliteStore(join(directory, 'ours.db')), log: () => undefined });
  const total = quick ? 20_000 : 100_000;
  const single = quick ? 200 : 1_000;
  const cases: Record<string, () => Promise<{ events: number; answers: number[] }>> = {
    [FILE]: () => lines(join(directory, 'lines'), total),
    [GROUPED]: () => produce(gateway, total, false),
    [KEYED]: () => produce(gateway, total, true),
    [SINGLE]: () => oneByOne(gateway, single),
    [TABLE]: () => table(join(directory, 'table.db'), single),
  };
  const figures = Object.fromEntries(Object.keys(cases).map((name): [string, Figures] => [name, { time: [], cpu: [], p50: [], p99: [] }]));
  await produce(gateway, 5_000, false);
  for (let round = 0; round < (quick ? 2 : 6); round += 1) {
    const names = Object.keys(cases);
    for (const [k, name] of names.entries()) {
      const turned = names[(k + round) % names.length] ?? name;
      progress(`${turned}, round ${round + 1}`);
      await timed(figures[turned] as Figures, cases[turned] as () => Promise<{ events: number; answers: number[] }>);
    }
  }
  await gateway.close();
  return figures;
}

/** Readers that come back: those whose session is in memory, those whose session is read from the file, and those that resume. */
async function reconnects(directory: string, { quick }: Options): Promise<Record<string, number[]>> {
  const store = createSqliteStore(join(directory, 'readers.db'));
  const gateway = createGateway({ store, log: () => undefined });
  for (let n = 0; n < SESSIONS; n += 1) {
    await gateway.publish(
      `s${n}`,
      Array.from({ length: 25 }, (_, k) => event(`s${n}`, k)),
    );
    await gateway.putCard(`s${n}`, { markdown: NOTE });
  }
  const samples: Record<string, number[]> = { 'from memory': [], 'from the file': [], 'what was missed': [] };
  const times = quick ? 500 : 4_000;
  const measure = async (name: string, read: (session: string) => Promise<unknown>): Promise<void> => {
    const used = process.cpuUsage();
    for (let n = 0; n < times; n += 1) await read(`s${n % SESSIONS}`);
    const { user, system } = process.cpuUsage(used);
    samples[name]?.push(((user + system) * 1e3) / times);
  };
  for (let round = 0; round < (quick ? 2 : 6); round += 1) {
    await measure('from memory', (session) => gateway.snapshot(session));
    await measure('from the file', (session) => store.load(session));
    await measure('what was missed', (session) => store.eventsAfter(session, 20));
  }
  await gateway.close();
  return samples;
}

/** Milliseconds from starting the command until it takes readers, with nothing in its file and with as many operations and events. */
async function starts(directory: string, { quick }: Options): Promise<{ readonly rows: number; readonly ms: Record<string, number[]> }> {
  const full = join(directory, 'full.db');
  const sessions = quick ? 10 : 100;
  const gateway = createGateway({ store: createSqliteStore(full), log: () => undefined });
  for (let n = 0; n < sessions; n += 1) {
    await gateway.publish(
      `s${n}`,
      Array.from({ length: 1_000 }, (_, k) => event(`s${n}`, k)),
    );
  }
  await gateway.close();
  const ms: Record<string, number[]> = { 'an empty file': [], 'a full file': [] };
  for (let round = 0; round < (quick ? 2 : 7); round += 1) {
    for (const [name, file] of [
      ['an empty file', join(directory, `empty-${round}.db`)],
      ['a full file', full],
    ] as const) {
      const began = performance.now();
      const served = await GatewayProcess.start(file, []);
      ms[name]?.push(performance.now() - began);
      await served.stop();
    }
  }
  return { rows: sessions * 1_000, ms };
}

export const item: Item = {
  name: 'durable',
  about: 'events that are on the disk when they are acknowledged, and readers that come back',
  async run(options) {
    const directory = mkdtempSync(join(tmpdir(), 'sitrep-bench-'));
    try {
      const figures = await durable(directory, options);
      const readers = await reconnects(directory, options);
      const { rows, ms } = await starts(directory, options);
      return {
        tables: [
          {
            title: 'one durable event',
            note: `${PRODUCERS} producers with ${BATCH} events a request over ${SESSIONS} sessions, a card beside each ${CARDS}th; full synchronisation everywhere`,
            metrics: [
              { key: 'time', label: 'time', unit: 'ns', better: 'less' },
              { key: 'cpu', label: 'processor', unit: 'ns', better: 'less' },
              { key: 'p50', label: 'answer p50', unit: 'ms', better: 'less' },
              { key: 'p99', label: 'answer p99', unit: 'ms', better: 'less' },
            ],
            rows: Object.entries(figures).map(([name, samples]) => ({ name, samples: { ...samples } })),
            limit: FILE,
            ours: [GROUPED],
          },
          {
            title: 'a snapshot, or what was missed, for a reader that comes back (processor time)',
            metrics: [{ key: 'time', label: 'time', unit: 'ns', better: 'less' }],
            rows: Object.entries(readers).map(([name, time]) => ({ name, samples: { time } })),
            ours: ['from memory'],
          },
          {
            title: 'from the start of `sitrep serve` until it takes readers',
            note: `the full file holds ${rows} events and what they changed`,
            metrics: [{ key: 'time', label: 'time', unit: 'ms', better: 'less' }],
            rows: Object.entries(ms).map(([name, time]) => ({ name, samples: { time } })),
            limit: 'an empty file',
            ours: ['a full file'],
          },
        ],
      };
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};
