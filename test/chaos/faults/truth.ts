import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSseSource, createStore } from '@sitrep/client';
import type { Store } from '@sitrep/client';
import { createHttpSink } from '@sitrep/harness';
import { Random } from '../../fuzz/random.ts';
import { faultProxy } from '../../node/faults/proxy.ts';
import { percentile } from '../percentile.ts';
import { grouped, part } from '../table.ts';
import type { Part } from '../table.ts';
import { GatewayProcess } from './gateway-process.ts';

const SESSION = 's';
/** What a reader may take to show the truth once its link is back, 99 times of 100, and to say that it may be old. */
const TRUTH_MS = 2_000;
const STALE_MS = 25_000;
/** What timers and a busy machine add to times that are otherwise exact. */
const SLACK_MS = 1_000;
const PATIENCE_MS = 120_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Times {
  /** Milliseconds from the return of a link to the truth, where the machine said that it was back; and where nobody did. */
  readonly told: Map<number, number>;
  readonly untold: Map<number, number>;
  /** Milliseconds from the moment a gateway fell silent to the moment a reader said so. */
  readonly stale: Map<number, number>;
}

/**
 * By real clocks and the settings everybody has: how long it takes until a reader whose link was down shows what is stored, and
 * until one whose link is silent says that what it shows may be old.
 */
export function truthPart({
  seed,
  readers = 30,
  rounds = 8,
}: {
  readonly seed: number;
  readonly readers?: number;
  readonly rounds?: number;
}): Promise<Part> {
  return part('time to truth', async () => {
    const { told, untold, stale } = await measure({ seed, readers, rounds });
    const line = (times: ReadonlyMap<number, number>): string =>
      `p50 ${grouped(percentile(times, 50))} ms, p99 ${grouped(percentile(times, 99))} ms, longest ${grouped(percentile(times, 100))} ms of ${grouped(sizeOf(times))}`;
    const faults = [
      ...(percentile(told, 99) > TRUTH_MS + SLACK_MS ? [`p99 to the truth is ${percentile(told, 99)} ms`] : []),
      ...(percentile(stale, 100) > STALE_MS + SLACK_MS ? [`a silent link was shown as live for ${percentile(stale, 100)} ms`] : []),
    ];
    return {
      lines: [
        `link back, and the machine says so: shown = stored after ${line(told)}`,
        `link back, and nobody says so: shown = stored after ${line(untold)}`,
        `gateway silent: shown as stale after ${line(stale)}`,
      ],
      faults,
    };
  });
}

async function measure({
  seed,
  readers,
  rounds,
}: {
  readonly seed: number;
  readonly readers: number;
  readonly rounds: number;
}): Promise<Times> {
  const random = new Random(seed);
  await using cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'sitrep-truth-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const gateway = cleanUp.use(await GatewayProcess.start(join(folder, 'sitrep.db'), { rateLimit: 100_000 }));
  const sink = cleanUp.use(createHttpSink({ url: gateway.url, session: SESSION, batchMs: 5 }));
  let n = 0;
  const writing = setInterval(
    () => sink.send({ type: 'operation', session: SESSION, id: 'a', at: Date.now(), state: 'running', current: (n += 1) }),
    100,
  );
  cleanUp.defer(() => clearInterval(writing));
  const machine = asBrowser();
  cleanUp.defer(machine.undo);
  const each = await Promise.all(
    Array.from({ length: readers }, async () => {
      const proxy = cleanUp.use(await faultProxy({ target: gateway.url, random: () => random.next(), faults: ['refuse'] }));
      const store = createStore({ session: SESSION, source: createSseSource({ url: `${proxy.url}/v1/sessions/${SESSION}/stream` }) });
      store.subscribe(() => undefined);
      cleanUp.defer(() => store.close());
      return { proxy, store };
    }),
  );
  const live = ({ connection }: ReturnType<Store['getSnapshot']>): boolean => connection.state === 'live' || connection.state === 'resumed';
  const times: Times = { told: new Map(), untold: new Map(), stale: new Map() };
  for (let round = 0; round < rounds; round++) {
    await until(() => each.every(({ store }) => live(store.getSnapshot())));
    for (const { proxy } of each) proxy.begin();
    await pause(200 + random.below(1_300));
    for (const { proxy } of each) proxy.heal();
    const back = performance.now();
    const { seq } = (await (await fetch(`${gateway.url}/v1/sessions/${SESSION}`)).json()) as { readonly seq: number };
    const told = round % 2 === 0;
    if (told) machine.online();
    await Promise.all(
      each.map(async ({ store }) => {
        await until(() => store.getSnapshot().seq >= seq && live(store.getSnapshot()));
        note(told ? times.told : times.untold, performance.now() - back);
      }),
    );
  }
  await until(() => each.every(({ store }) => live(store.getSnapshot())));
  const silent = performance.now();
  let over: () => void = () => undefined;
  const stopped = gateway.suffer('stopped', new Promise<void>((resolve) => (over = resolve)));
  await Promise.all(
    each.map(async ({ store }) => {
      await until(() => !live(store.getSnapshot()));
      note(times.stale, performance.now() - silent);
    }),
  );
  over();
  await stopped;
  return times;
}

/** Node has no word for a network that is back; pages hear `online`. */
function asBrowser(): { online(): void; undo(): void } {
  const target = new EventTarget();
  setMaxListeners(0, target);
  const scope = globalThis as { addEventListener?: unknown; removeEventListener?: unknown };
  const { addEventListener, removeEventListener } = scope;
  scope.addEventListener = target.addEventListener.bind(target);
  scope.removeEventListener = target.removeEventListener.bind(target);
  return {
    online: () => void target.dispatchEvent(new Event('online')),
    undo: () => void Object.assign(scope, { addEventListener, removeEventListener }),
  };
}

function note(times: Map<number, number>, ms: number): void {
  const whole = Math.round(ms);
  times.set(whole, (times.get(whole) ?? 0) + 1);
}

function sizeOf(times: ReadonlyMap<number, number>): number {
  return [...times.values()].reduce((sum, count) => sum + count, 0);
}

async function until(condition: () => boolean): Promise<void> {
  for (const began = performance.now(); !condition(); await pause(5)) {
    if (performance.now() - began > PATIENCE_MS) throw new Error(`A reader did not get there within ${PATIENCE_MS} ms.`);
  }
}
