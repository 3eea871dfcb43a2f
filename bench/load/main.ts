// Many readers of one gateway: node bench/load/main.ts [--clients 1000] [--rate 4] [--seconds 20] [--sessions 10] [--transport sse|ws] …
import { parseArgs } from 'node:util';
import { goals, table } from './goals.ts';
import { runLoad } from './run.ts';
import type { Load, LoadResult } from './run.ts';
import { runSoak } from './soak.ts';

const usage = `usage: npm run load -- [options]
  --clients 1000     readers
  --rate 4           events a second that each reader is sent
  --seconds 20       how long
  --sessions 10      sessions that the readers are spread over
  --transport sse    or ws
  --operations 10    operations that the events of a session are of
  --flush 0          milliseconds over which the gateway gathers events
  --store memory     or a file
  --rounds 1         how often
  --goals            instead: everything that delivery is held to, in one table; five minutes, nothing else may run
  --soak             readers that come and go, for --minutes 5; --clients is 500 then`;

const { values } = (() => {
  try {
    return parseArgs({
      options: {
        clients: { type: 'string' },
        rate: { type: 'string', default: '4' },
        seconds: { type: 'string', default: '20' },
        sessions: { type: 'string', default: '10' },
        transport: { type: 'string', default: 'sse' },
        operations: { type: 'string', default: '10' },
        flush: { type: 'string', default: '0' },
        store: { type: 'string', default: 'memory' },
        rounds: { type: 'string', default: '1' },
        goals: { type: 'boolean', default: false },
        soak: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '5' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
})();
if (values.help) {
  console.log(usage);
  process.exit(0);
}

function number(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= least) return value;
  console.error(`--${name} must be a number of at least ${least}, not "${text}".\n${usage}`);
  process.exit(2);
}

const { transport } = values;
if (transport !== 'sse' && transport !== 'ws') {
  console.error(`--transport must be sse or ws, not "${transport}".\n${usage}`);
  process.exit(2);
}
const clients = number('clients', values.clients ?? (values.soak ? '500' : '1000'), 1);
const load: Load = {
  clients,
  sessions: Math.min(clients, number('sessions', values.sessions, 1)),
  rate: number('rate', values.rate, 0.01),
  seconds: number('seconds', values.seconds, 0.1),
  transport,
  store: values.store,
  flushMs: number('flush', values.flush, 0),
  operations: number('operations', values.operations, 1),
};

const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K  ${text}`);
};

function printed(result: LoadResult): string {
  const rows = [
    ['deliveries', `${result.deliveries} of ${result.events} events`],
    ['deliveries a second', result.perSecond.toFixed(0)],
    ['from the post to the reader, p50 / p99', `${result.p50.toFixed(1)} / ${result.p99.toFixed(1)} ms`],
    ['processor time of the gateway', `${result.cpu.toFixed(1)} µs a delivery, ${result.cores.toFixed(2)} cores`],
    ['memory of an idle client: heap', `${result.heap.toFixed(0)} B`],
    ['  outside the heap / resident', `${result.external.toFixed(0)} / ${result.resident.toFixed(0)} B`],
    ['lost, twice, out of order, or cut off', String(result.lost)],
  ];
  const width = Math.max(...rows.map(([name]) => (name as string).length));
  return rows.map(([name, value]) => `  ${(name as string).padEnd(width)}  ${value}`).join('\n');
}

if (values.goals) {
  const lines = await goals(progress);
  progress('');
  console.log(table(lines));
} else if (values.soak) {
  process.exitCode = (await runSoak({ ...load, minutes: number('minutes', values.minutes, 0.1) }, console.log)) ? 0 : 1;
} else {
  const { sessions, rate, seconds, operations, flushMs, store } = load;
  console.log(
    `${clients} clients of ${sessions} sessions over ${transport}, ${rate} events/s each for ${seconds} s; ${operations} operations a session, flush ${flushMs} ms, store ${store}`,
  );
  for (let round = 0; round < number('rounds', values.rounds, 1); round += 1) {
    const result = await runLoad(load, progress);
    progress('');
    console.log(`${printed(result)}\n`);
    if (result.lost > 0) process.exitCode = 1;
  }
}
