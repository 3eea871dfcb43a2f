import { RedisServer } from '../../node/redis/redis-server.ts';
import { GatewayNode } from './node.ts';
import { Producer } from './producer.ts';
import { Relay } from './relay.ts';
import { truthOf, Witness } from './witness.ts';

/** What may happen to one of several gateways, to Redis, or between them. */
export const MACHINE_FAULTS = [
  'node killed',
  'node stopped',
  'redis killed',
  'redis stopped',
  'link cut',
  'link mute',
  'readers cut',
] as const;
export type MachineFault = (typeof MACHINE_FAULTS)[number];

export interface MachinesOptions {
  /** Faults in order. */
  readonly faults: readonly MachineFault[];
  /** Gateways. Default: 3. */
  readonly nodes?: number | undefined;
  /** Sessions. Default: 2. */
  readonly sessions?: number | undefined;
  /** Milliseconds something stands still. Default: 5,000. */
  readonly stillMs?: number | undefined;
  /** Milliseconds between two writes of a producer. Default: 25. */
  readonly pauseMs?: number | undefined;
  /** Told what happens. */
  readonly say?: ((line: string) => void) | undefined;
}

/** What it came to. `wrong` must be empty. */
export interface MachinesReport {
  readonly wrong: readonly string[];
  readonly events: number;
  readonly snapshots: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly inDoubt: number;
  readonly conflicts: number;
  /** Milliseconds from the end of each fault until every reader showed what is stored. */
  readonly healedMs: readonly number[];
}

/** Milliseconds everything may take to come to the truth once nothing is wrong any more. */
const PATIENCE_MS = 60_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Several gateways on one Redis, with readers and producers that reach any of them, while one thing after the other fails. Every
 * frame of every reader is judged; after every fault all readers must show what is stored, whichever gateway is asked.
 */
export async function runMachines(options: MachinesOptions): Promise<MachinesReport> {
  const { faults, nodes: count = 3, sessions = 2, stillMs = 5_000, pauseMs = 25, say = () => undefined } = options;
  await using cleanUp = new AsyncDisposableStack();
  const redis = await RedisServer.start();
  cleanUp.defer(() => redis.remove());
  const link = cleanUp.use(await Relay.to(() => [redis.port]));
  const nodes: GatewayNode[] = [];
  cleanUp.defer(async () => {
    for (const node of nodes) await node.kill();
  });
  const limits = { heartbeatMs: 500, rateLimit: 1_000_000, replayLimit: 200_000 };
  while (nodes.length < count) nodes.push(await GatewayNode.start(`redis://127.0.0.1:${link.port}`, limits));
  const front = cleanUp.use(await Relay.to(() => nodes.map(({ port }) => port)));
  const url = `http://127.0.0.1:${front.port}`;

  const names = Array.from({ length: sessions }, (_, n) => `chat ${n}`).map(encodeURIComponent);
  const told = new Map(names.map((name) => [name, new Map<string, string>()]));
  const readers = names.flatMap((name) =>
    // Through the balancer, and one that always comes back to the same gateway.
    [url, url, nodes[0]?.url ?? url].map((address) => ({ name, witness: new Witness(address, name, told.get(name) ?? new Map()) })),
  );
  cleanUp.defer(() => {
    for (const { witness } of readers) witness.store.close();
  });
  const producers = names.flatMap((name) => [0, 1].map((n) => ({ name, producer: new Producer(url, name, `p${n}`, pauseMs) })));
  const wrong: string[] = [];

  /** What each gateway says of a session, once they agree. */
  async function stored(name: string): Promise<string> {
    const said = new Set<string>();
    for (const node of nodes) {
      const response = await fetch(`${node.url}/v1/sessions/${name}`, { signal: AbortSignal.timeout(10_000) });
      if (response.status !== 200) return `status ${response.status}`;
      said.add(truthOf((await response.json()) as Parameters<typeof truthOf>[0]));
    }
    return said.size === 1 ? ([...said][0] as string) : 'gateways differ';
  }

  /** Waits until every reader shows what is stored. Answers how long that took. */
  async function settle(what: string): Promise<number> {
    const began = performance.now();
    for (;;) {
      const truth = new Map<string, string>();
      for (const name of names) truth.set(name, await stored(name).catch((error: Error) => error.message));
      const behind = readers.filter(({ name, witness }) => witness.shown !== truth.get(name));
      if (behind.length === 0) return performance.now() - began;
      if (performance.now() - began > PATIENCE_MS) {
        wrong.push(`after ${what}: ${behind.length} of ${readers.length} readers do not show what is stored`);
        for (const { name, witness } of behind)
          wrong.push(`  shows ${witness.shown.slice(0, 80)}, stored ${truth.get(name)?.slice(0, 80)}`);
        for (const line of wrong) say(line);
        return Infinity;
      }
      await pause(20);
    }
  }

  const suffer: Record<MachineFault, (node: GatewayNode) => Promise<void>> = {
    'node killed': async (node) => {
      await node.kill();
      await pause(stillMs / 5);
      await node.begin();
    },
    'node stopped': async (node) => {
      node.stop();
      await pause(stillMs);
      node.go();
    },
    'redis killed': async () => {
      await redis.kill();
      await pause(stillMs / 5);
      await redis.begin();
    },
    'redis stopped': async () => {
      redis.stop();
      await pause(stillMs);
      redis.go();
    },
    'link cut': async () => {
      link.link = 'cut';
      await pause(stillMs / 2);
      link.link = 'whole';
    },
    'link mute': async () => {
      link.link = 'mute';
      await pause(stillMs);
      link.sever();
      link.link = 'whole';
    },
    'readers cut': async () => front.sever(),
  };

  const healedMs: number[] = [];
  let turn = 0;
  for (const fault of faults) {
    for (const { producer } of producers) producer.begin();
    await pause(stillMs / 5);
    await suffer[fault](nodes[turn++ % nodes.length] as GatewayNode);
    await pause(stillMs / 5);
    await Promise.all(producers.map(({ producer }) => producer.stop()));
    const took = await settle(fault);
    healedMs.push(took);
    say(`${fault}: all readers show what is stored ${Math.round(took)} ms after the last write`);
  }

  for (const name of names) {
    const { operations, revision } = (await (await fetch(`${nodes[0]?.url}/v1/sessions/${name}`)).json()) as {
      operations: { id: string }[];
      revision: number;
    };
    const there = new Set(operations.map(({ id }) => id));
    if (operations.length !== there.size) wrong.push(`${name}: an operation is there twice`);
    const own = producers.filter((each) => each.name === name).map(({ producer }) => producer);
    for (const id of own.flatMap(({ acknowledged }) => acknowledged))
      if (!there.has(id)) wrong.push(`${name}: ${id} was acknowledged and is lost`);
    for (const id of own.flatMap(({ refused }) => refused)) if (there.has(id)) wrong.push(`${name}: ${id} was refused and is there`);
    const revisions = own.flatMap((producer) => producer.revisions);
    if (new Set(revisions).size !== revisions.length) wrong.push(`${name}: a revision was given to two writers`);
    if (revisions.some((each) => each > revision)) wrong.push(`${name}: a revision was acknowledged and is lost`);
  }
  for (const { producer } of producers) wrong.push(...producer.faults);
  for (const { witness } of readers) wrong.push(...witness.faults);
  const sum = (of: (producer: Producer) => number): number => producers.reduce((total, { producer }) => total + of(producer), 0);
  return {
    wrong,
    events: readers.reduce((total, { witness }) => total + witness.events, 0),
    snapshots: readers.reduce((total, { witness }) => total + witness.snapshots, 0),
    acknowledged: sum(({ acknowledged }) => acknowledged.length),
    refused: sum(({ refused }) => refused.length),
    inDoubt: sum(({ inDoubt }) => inDoubt.length),
    conflicts: sum(({ conflicts }) => conflicts),
    healedMs,
  };
}
