import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteStore } from '@sitrep/server/sqlite';
import { Random } from '../../fuzz/random.ts';
import { faultProxy } from '../../node/faults/proxy.ts';
import type { Fault, FaultProxy } from '../../node/faults/proxy.ts';
import { CardWriter } from './card-writer.ts';
import { GATEWAY_FAULTS, GatewayProcess } from './gateway-process.ts';
import { Producer } from './producer.ts';
import { HEARTBEAT_MS, KINDS, Readers } from './readers.ts';
import type { Kind } from './readers.ts';
import { Witness } from './witness.ts';

/** What is run. */
export interface FaultsOptions {
  readonly faults: number;
  readonly seed: number;
  /** Default: all of them. */
  readonly kinds?: readonly Kind[] | undefined;
  /** Sessions, each with readers of every kind. Default: 3. */
  readonly sessions?: number | undefined;
  /** Milliseconds between two faults of the gateway itself; undefined for none. Default: 700. */
  readonly gatewayMs?: number | undefined;
  /** Milliseconds between two events of a producer. Default: 10. */
  readonly writeMs?: number | undefined;
}

/** What it came to. Everything but the first group must be nothing. */
export interface FaultsReport {
  /** How often each thing happened. */
  readonly happened: ReadonlyMap<string, number>;
  readonly total: number;
  readonly events: number;
  readonly views: number;
  readonly acknowledged: number;
  readonly conflicts: number;
  /** Events whose producer was told that it had been taken for lost. */
  readonly late: number;
  /** Codes of what the stores of the readers survived. */
  readonly survived: ReadonlyMap<string, number>;
  /** Milliseconds until the last reader showed the end, once everything was whole again. */
  readonly healedMs: number;

  readonly untrue: number;
  readonly reversals: number;
  /** Events that readers found late, unknown or invalid. */
  readonly dropped: number;
  readonly lost: number;
  readonly doubled: number;
  /** Readers that never came to the end. */
  readonly behind: number;
  readonly examples: readonly string[];
}

/** Kept whole, so that all of it can be compared; few enough bytes are replayed that snapshots are needed as well. */
const LIMITS = {
  heartbeatMs: HEARTBEAT_MS,
  events: 100_000_000,
  eventBytes: 100_000_000_000,
  replayLimit: 30_000,
  rateLimit: 1_000_000,
};
/** Milliseconds everything may take to come to an end once nothing goes wrong any more. */
const PATIENCE_MS = 60_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A gateway process over a file, producers and readers, all of them behind proxies that spoil every connection, while the
 * gateway is killed, stopped and drained. At the end every view that any reader showed is compared with the log of the store.
 */
export async function runFaults(options: FaultsOptions): Promise<FaultsReport> {
  const { faults, seed, kinds = Object.keys(KINDS) as Kind[], sessions = 3, gatewayMs = 700, writeMs = 10 } = options;
  const folder = mkdtempSync(join(tmpdir(), 'sitrep-chaos-'));
  const file = join(folder, 'sitrep.db');
  const random = new Random(seed);
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const gateway = cleanUp.use(await GatewayProcess.start(file, LIMITS));
  const proxies: FaultProxy[] = [];
  const proxy = async (list?: readonly Fault[]): Promise<FaultProxy> => {
    const own = new Random(random.below(2 ** 31));
    const made = cleanUp.use(await faultProxy({ target: gateway.url, random: () => own.next(), ...(list && { faults: list }) }));
    proxies.push(made);
    return made;
  };

  const worlds = await Promise.all(
    Array.from({ length: sessions }, async (_, n) => {
      const session = `s${n}`;
      const witness = new Witness(session);
      const { url } = await proxy(KINDS.polling);
      const producers = ['p', 'q'].map((name) => new Producer({ url, session, name, random: new Random(random.below(2 ** 31)) }));
      const writers = ['x', 'y'].map((name) => new CardWriter({ url, session, name }));
      const readers = await Promise.all(
        kinds.map(
          async (kind) =>
            new Readers(kind, { url: (await proxy(KINDS[kind])).url, session, random: new Random(random.below(2 ** 31)) }, witness),
        ),
      );
      return { session, witness, producers, writers, readers };
    }),
  );
  const allReaders = worlds.flatMap(({ readers }) => readers);
  cleanUp.defer(() => {
    for (const one of allReaders) one.close();
  });
  cleanUp.defer(async () => {
    await Promise.all(worlds.flatMap(({ producers }) => producers.map((producer) => producer.close())));
  });

  const happened = new Map<string, number>();
  const count = (what: string): void => void happened.set(what, (happened.get(what) ?? 0) + 1);
  const writing = new AbortController();
  const ending = new AbortController();
  const total = (): number => proxies.reduce((sum, one) => sum + one.total, 0) + [...happened.values()].reduce((sum, n) => sum + n, 0);

  const work = worlds.flatMap(({ producers, writers }) => [
    ...producers.map(async (producer) => {
      while (!writing.signal.aborted) {
        // A producer that is far behind would make the end a matter of minutes.
        if (producer.pending < 200) producer.write();
        await pause(writeMs);
      }
    }),
    ...writers.map(async (writer) => {
      while (!writing.signal.aborted) {
        await writer.write(ending.signal);
        await pause(20);
      }
    }),
  ]);
  const trouble = (async () => {
    while (!writing.signal.aborted) {
      await pause(gatewayMs === undefined ? 50 : gatewayMs / 2 + random.below(gatewayMs));
      if (writing.signal.aborted) return;
      const pages = allReaders.filter((readers) => readers.die(random));
      for (const _ of pages) count('page died');
      if (gatewayMs === undefined) continue;
      const fault = random.of(GATEWAY_FAULTS);
      count(`gateway ${fault}`);
      await gateway.suffer(fault, random.below(300));
    }
  })();
  // Whoever fails must not leave the others at work.
  const stopped = Promise.all([trouble, ...work]);
  stopped.catch(() => writing.abort());

  await until(() => allReaders.every(({ stores }) => stores.every((store) => store.getSnapshot().loaded)), PATIENCE_MS);
  for (const one of proxies) one.begin();
  // Connections that fail at once would use up the faults before much was written and shown.
  const seen = (): number => worlds.reduce((sum, { witness }) => sum + witness.views, 0);
  const stored = (): number => worlds.reduce((sum, { producers }) => sum + producers.reduce((all, one) => all + one.acknowledged, 0), 0);
  const enough = (): boolean => total() >= faults && seen() > faults && stored() > faults / 2;
  await until(() => enough() || writing.signal.aborted, Infinity);
  writing.abort();
  for (const one of proxies) one.heal();
  const healed = performance.now();
  const giveUp = setTimeout(() => ending.abort(), PATIENCE_MS);
  await stopped;
  clearTimeout(giveUp);
  const settled = await Promise.all(worlds.flatMap(({ producers }) => producers.map((producer) => producer.settle(PATIENCE_MS))));

  const examples: string[] = [];
  if (settled.includes(false)) examples.push('A producer was never answered for everything.');
  let behind = settled.filter((done) => !done).length;
  const ends = await Promise.all(
    worlds.map(async ({ session, readers }) => {
      const end = (await (await fetch(`${gateway.url}/v1/sessions/${session}`)).json()) as { readonly epoch: string; readonly seq: number };
      const there = (): boolean =>
        readers.every(({ stores }) =>
          stores.every((store) => store.getSnapshot().seq === end.seq && store.getSnapshot().epoch === end.epoch),
        );
      if (await until(there, PATIENCE_MS)) return;
      behind += 1;
      const where = readers.flatMap(({ stores }) => stores.map((store) => `${store.getSnapshot().epoch}:${store.getSnapshot().seq}`));
      examples.push(`The gateway ends ${session} at ${end.epoch}:${end.seq}, its readers at ${where.join(', ')}.`);
    }),
  );
  void ends;
  const healedMs = performance.now() - healed;
  for (const one of allReaders) one.look();

  await gateway[Symbol.asyncDispose]();
  const store = createSqliteStore(file, { events: LIMITS.events, eventBytes: LIMITS.eventBytes });
  cleanUp.defer(() => store.close());
  const sum = { events: 0, views: 0, acknowledged: 0, conflicts: 0, late: 0, untrue: 0, reversals: 0, lost: 0, doubled: 0 };
  for (const { witness, producers, writers } of worlds) {
    const judged = await witness.judge(store);
    sum.events += judged.events.length;
    sum.views += witness.views;
    sum.untrue += judged.untrue;
    sum.reversals += judged.reversals;
    examples.push(...judged.examples);
    for (const one of producers) {
      const { acknowledged, late, lost, doubled, examples: found } = one.judge(judged.events);
      sum.acknowledged += acknowledged;
      sum.late += late;
      sum.lost += lost;
      sum.doubled += doubled;
      examples.push(...found);
    }
    for (const one of writers) {
      const { acknowledged, conflicts, lost, examples: found } = one.judge(judged.events);
      sum.acknowledged += acknowledged;
      sum.conflicts += conflicts;
      sum.lost += lost;
      examples.push(...found);
    }
  }
  const survived = new Map<string, number>();
  for (const { stores } of allReaders)
    for (const { diagnostics } of stores) for (const [code, n] of diagnostics) survived.set(code, (survived.get(code) ?? 0) + n);
  const totalFaults = total();
  for (const { faults: of } of proxies) for (const [fault, n] of Object.entries(of)) happened.set(fault, (happened.get(fault) ?? 0) + n);
  const dropped = allReaders.reduce((all, one) => all + one.dropped, 0);
  return { happened, total: totalFaults, ...sum, survived, healedMs, dropped, behind, examples: examples.slice(0, 10) };
}

/** Waits for a condition; false when it took too long. */
async function until(condition: () => boolean, limitMs: number): Promise<boolean> {
  for (const began = performance.now(); !condition();) {
    if (performance.now() - began > limitMs) return false;
    await pause(5);
  }
  return true;
}
