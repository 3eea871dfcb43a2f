import { createReporter } from '@sitrep/harness';
import type { Reporter } from '@sitrep/harness';
import { createHttpSink } from '@sitrep/harness/sink';
import { random } from './random.ts';

/**
 * A program that works for a while, reports on it, and ends: `producer.ts <url> <session> <seed> <life ms> <lease ms>`. What
 * it says at its end, on standard output, is what its sessions must show.
 */
const [url = '', session = '', seed = '0', life = '0', lease = '15000'] = process.argv.slice(2);
const { int, pick } = random(Number(seed));
let resumed = 0;
const sink = createHttpSink({
  url,
  session,
  batchMs: 20,
  maxBackoffMs: 1_000,
  flushMs: 60_000,
  leaseMs: Number(lease),
  onDiagnostic: ({ code }) => void (resumed += code === 'resumed' ? 1 : 0),
});
const run = 'turn';
const ends: Record<string, string> = {};

sink.send({ type: 'run', session, run, state: 'running', at: Date.now() });
const root = createReporter({ sink, session, run, id: 'root', title: 'The whole', signal: null });
await sink.flush();
process.stdout.write('begun\n');
const over = Date.now() + Number(life);
const open: Reporter[] = [];
let count = 0;

function end(reporter: Reporter): void {
  const how = pick(['complete', 'fail', 'cancel', 'deny'] as const);
  reporter[how]();
  ends[String(reporter.id)] = reporter.state;
}

while (Date.now() < over) {
  if (open.length < 5 && int(3) === 0) open.push(root.child({ id: `work-${(count += 1)}`, title: `Part ${count}` }));
  const [chosen] = open.length > 0 ? open.splice(int(open.length), 1) : [];
  if (chosen !== undefined && int(4) === 0) end(chosen);
  else if (chosen !== undefined) {
    open.push(chosen);
    const chance = int(16);
    if (chance < 4) chosen.block('permission');
    else if (chance < 7) chosen.wait('another');
    else chosen.update({ state: 'running', current: int(100), total: 100 });
  }
  root.update({ message: `Beat ${Date.now()}` });
  await new Promise((resolve) => setTimeout(resolve, 10 + int(150)));
}
for (const reporter of open) end(reporter);
end(root);
sink.send({ type: 'run', session, run, state: 'completed', at: Date.now() });
await sink.flush();
await sink.close();
process.stdout.write(`${JSON.stringify({ ends, resumed, pending: sink.stats.pending })}\n`);
