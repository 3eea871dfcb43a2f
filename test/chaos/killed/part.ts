import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createReporter } from '@sitrep/harness';
import { createHttpSink } from '@sitrep/harness/sink';
import { isFinal } from '@sitrep/schema';
import type { Snapshot } from '@sitrep/schema/wire';
import { percentile } from '../percentile.ts';
import { grouped, part } from '../table.ts';
import type { Part } from '../table.ts';
import { GatewayProcess } from './gateway.ts';
import { random } from './random.ts';

const PRODUCER = fileURLToPath(new URL('producer.ts', import.meta.url));
/** After a death nothing may be shown running any more: milliseconds. */
const LIMIT_MS = 30_000;
/** Milliseconds a producer may take to say how it ended, on a machine that has much to do. */
const PATIENCE_MS = 120_000;

/** What is tried. */
export interface KilledOptions {
  readonly runs: number;
  readonly seed: number;
  /** Milliseconds of the leases. Default 15,000. */
  readonly leaseMs?: number | undefined;
  /** Producers at a time. Default 16. */
  readonly atOnce?: number | undefined;
  /** How often the gateway is killed and started again. Default: once for each 250 runs. */
  readonly restarts?: number | undefined;
}

type Kind = 'killed' | 'stopped' | 'clean';
interface Outcome {
  readonly kind: Kind;
  readonly faults: readonly string[];
  /** From its death to the end of the last thing it left open, milliseconds; undefined when there was none. */
  readonly lostAfter?: number | undefined;
  readonly resumed?: boolean | undefined;
}

/**
 * Programs that report through the HTTP sink to a gateway of its own process. Most are killed at a random moment, some are
 * stopped for a while and go on, some end by themselves; meanwhile the gateway is killed as well.
 */
export function killedPart(options: KilledOptions): Promise<Part> {
  return part('killed runs', () => tryAll(options));
}

async function tryAll({ runs, seed, leaseMs = 15_000, atOnce = 16, restarts = Math.floor(runs / 250) }: KilledOptions) {
  const directory = mkdtempSync(join(tmpdir(), 'sitrep-killed-'));
  const gateway = await GatewayProcess.start(join(directory, 'a.db'));
  const outcomes: Outcome[] = [];
  try {
    const living = await bystanders(gateway.url, leaseMs);
    const breaks = new Set(Array.from({ length: restarts }, (_, n) => Math.floor(((n + 1) * runs) / (restarts + 1))));
    let next = 0;
    let killing = Promise.resolve();
    const watched: Promise<Outcome>[] = [];
    const worker = async (): Promise<void> => {
      for (let n = next; n < runs; n = next) {
        next += 1;
        if (breaks.has(n)) killing = killing.then(() => gateway.restart());
        const begun = await begin(gateway, n, seed + n, leaseMs);
        // What comes of it is seen beside the next ones.
        watched.push(begun.seen());
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, runs) }, worker));
    await killing;
    outcomes.push(...(await Promise.all(watched)));
    const faults = [...outcomes.flatMap((outcome) => outcome.faults), ...(await living.faults())];
    const of = (kind: Kind): number => outcomes.filter((outcome) => outcome.kind === kind).length;
    const delays = new Map<number, number>();
    for (const { lostAfter } of outcomes) {
      if (lostAfter === undefined) continue;
      const tenth = Math.ceil(lostAfter / 100) / 10;
      delays.set(tenth, (delays.get(tenth) ?? 0) + 1);
    }
    const left = [...delays.values()].reduce((sum, count) => sum + count, 0);
    const seconds = (percent: number): string => `${percentile(delays, percent)} s`;
    return {
      lines: [
        `${grouped(runs)} runs: ${grouped(of('killed'))} killed, ${grouped(of('stopped'))} stopped and continued, ${grouped(of('clean'))} ended; gateway killed ${restarts} times`,
        `${grouped(left)} had left something open; after its death that was over in ${seconds(50)} (median), ${seconds(99)} (99 %), ${seconds(100)} (most)`,
        `${grouped(outcomes.filter(({ resumed }) => resumed).length)} went on as another attempt`,
      ],
      faults: faults.length > 0 ? [...faults.slice(0, 20), gateway.stderr] : [],
    };
  } finally {
    await gateway.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Starts a producer and does to it what its number says. Resolves when it is gone. */
async function begin(gateway: GatewayProcess, n: number, seed: number, leaseMs: number): Promise<{ seen(): Promise<Outcome> }> {
  const { int } = random(seed);
  const kind: Kind = n % 10 === 7 ? 'stopped' : n % 10 === 3 ? 'clean' : 'killed';
  const session = `killed-${n}`;
  const life = 200 + int(2_500);
  const child = spawn(process.execPath, [PRODUCER, gateway.url, session, String(seed), String(life), String(leaseMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  const gone = once(child, 'close');
  // How long a program takes to start is tried by some; the others are known to the gateway then.
  const early = n % 10 === 0;
  if (!early)
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (text) => {
        out += String(text);
        if (out.startsWith('begun')) resolve();
      });
      child.once('close', () => resolve());
    });
  if (kind === 'killed') {
    await pause(early ? int(2_000) : int(life + 100));
    child.kill('SIGKILL');
    await gone;
    const diedAt = Date.now();
    return { seen: () => seeDead(gateway, session, diedAt) };
  }
  if (kind === 'stopped') {
    await pause(int(life));
    child.kill('SIGSTOP');
    await pause(leaseMs / 4 + int(leaseMs * 1.5));
    child.kill('SIGCONT');
  }
  const stuck = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await gone;
  clearTimeout(stuck);
  return { seen: () => seeEnded(gateway, session, kind, out) };
}

async function seeDead(gateway: GatewayProcess, session: string, diedAt: number): Promise<Outcome> {
  let first: Snapshot | undefined;
  for (;;) {
    const snapshot = await read(gateway.url, session);
    // A gateway that is away shows nothing; what it shows once it is there again has its own time.
    const since = Date.now() - Math.max(diedAt, gateway.readyAt);
    if (snapshot !== undefined) {
      const changed = (first?.operations ?? [])
        .filter(({ state }) => isFinal(state))
        .filter((before) => !snapshot.operations.some((after) => JSON.stringify(after) === JSON.stringify(before)));
      if (changed.length > 0) return { kind: 'killed', faults: [`${session}: what had ended was changed: ${JSON.stringify(changed)}`] };
      first ??= snapshot;
      const open = openOf(snapshot);
      if (open.length === 0) {
        const ends = [...snapshot.operations, ...snapshot.runs].filter(({ reason }) => reason === 'producer_lost');
        const lostAfter =
          ends.length > 0 ? Math.max(...ends.map(({ endedAt = 0 }) => endedAt)) - Math.max(diedAt, gateway.readyAt) : undefined;
        return { kind: 'killed', faults: [], lostAfter: lostAfter === undefined ? undefined : Math.max(0, lostAfter) };
      }
      if (since > LIMIT_MS) return { kind: 'killed', faults: [`${session}: after ${since} ms still open: ${open.join(', ')}`] };
    }
    await pause(1_000);
  }
}

async function seeEnded(gateway: GatewayProcess, session: string, kind: Kind, out: string): Promise<Outcome> {
  const said = out.slice('begun\n'.length);
  if (said === '') return { kind, faults: [`${session}: the producer did not come to its end`] };
  const { ends, resumed } = JSON.parse(said) as { ends: Record<string, string>; resumed: number };
  let snapshot = await read(gateway.url, session);
  while (snapshot === undefined) {
    await pause(500);
    snapshot = await read(gateway.url, session);
  }
  const faults = openOf(snapshot).map((name) => `${session}: ${name} is open after the end of its producer`);
  for (const [id, state] of Object.entries(ends)) {
    // The newest life of it: of the last run it is in, by the order in which these began.
    const shown = snapshot.operations.filter((operation) => operation.id === id).at(-1);
    if (shown?.state !== state) faults.push(`${session}: ${id} is ${shown?.state} (${shown?.reason}) and ended as ${state}`);
    if (resumed === 0 && (shown?.attempt !== 1 || shown.run !== 'turn')) faults.push(`${session}: ${id} was taken for lost`);
  }
  const run = snapshot.runs.at(-1);
  if (run?.state !== 'completed') faults.push(`${session}: its run is ${run?.state} (${run?.reason})`);
  return { kind, faults, resumed: resumed > 0 };
}

/** What must not be touched by any of this: an operation of a living program, and one of somebody who promised nothing. */
async function bystanders(url: string, leaseMs: number): Promise<{ faults(): Promise<readonly string[]> }> {
  let resumed = 0;
  const onDiagnostic = ({ code }: { readonly code: string }): void => void (resumed += code === 'resumed' ? 1 : 0);
  const sink = createHttpSink({ url, session: 'living', leaseMs, maxBackoffMs: 1_000, onDiagnostic });
  createReporter({ sink, session: 'living', id: 'quiet' });
  const beating = createReporter({ sink, session: 'living', id: 'beating' });
  const timer = setInterval(() => beating.update({ message: String(Date.now()) }), 1_000);
  await sink.flush();
  const body = JSON.stringify({ type: 'operation', id: 'by hand', state: 'running' });
  await fetch(`${url}/v1/sessions/living/events`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return {
    async faults() {
      clearInterval(timer);
      await sink.flush();
      const snapshot = await read(url, 'living');
      const touched = snapshot?.operations.filter(({ state, attempt }) => state !== 'running' || attempt !== 1) ?? [];
      await sink.close();
      const faults = touched.map(({ id, state, reason }) => `what lives was touched: ${id} is ${state} (${reason})`);
      if (snapshot?.operations.length !== 3) faults.push(`of what lives, ${snapshot?.operations.length} operations are shown, not 3`);
      if (resumed > 0) faults.push('the producer that lived all the time was taken for lost');
      return faults;
    },
  };
}

function openOf({ operations, runs }: Snapshot): string[] {
  const open = operations.filter(({ state }) => !isFinal(state)).map(({ id, state }) => `${id} (${state})`);
  return [...open, ...runs.filter(({ state }) => !isFinal(state)).map(({ run }) => `run ${run}`)];
}

async function read(url: string, session: string): Promise<Snapshot | undefined> {
  try {
    const response = await fetch(`${url}/v1/sessions/${session}`);
    return response.ok ? ((await response.json()) as Snapshot) : undefined;
  } catch {
    return undefined;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
