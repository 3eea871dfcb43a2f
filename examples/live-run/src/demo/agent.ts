import { setTimeout as sleep } from 'node:timers/promises';
import { createReporter, progressCardTool, type Sink } from '@sitrep/harness';
import type { Gateway } from '@sitrep/server';

const STEPS = ['Read the files', 'Build the project', 'Publish'];
const FILES = 6000;
const TICK = 100;

/**
 * An agent at work in one session, until `signal`: it has a plan, builds file by file, and stops when somebody asks. Beside it a
 * deploy waits for a person, and an upload does not know how much there is.
 */
export async function work({
  gateway,
  sink,
  session,
  signal,
}: {
  gateway: Gateway;
  sink: Sink;
  session: string;
  signal: AbortSignal;
}): Promise<void> {
  const run = 'demo';
  const at = Date.now();
  await gateway.publish(session, [
    { type: 'session', session, at, title: 'Ship the release' },
    { type: 'run', session, run, state: 'running', at },
  ]);
  const plan = STEPS.map((step, index) => ({ step, status: (['completed', 'in_progress', 'pending'] as const)[index]! }));
  await progressCardTool.handle({ plan, markdown: '**Green** so far.' }, { session, run, cards: gateway });
  using deploy = createReporter({ sink, session, run, id: 'deploy', title: 'Deploy' });
  deploy.block({ kind: 'permission', prompt: 'Deploy to production?' });
  using upload = createReporter({ sink, session, run, id: 'upload', title: 'Upload logs' });

  const asked = new AbortController();
  const stop = gateway.subscribe(session, (event) => {
    if (event.type === 'operation' && event.id === 'build' && event.cancelRequested) asked.abort();
  });
  using build = createReporter({ sink, session, run, id: 'build', title: 'Build project', unit: 'files', total: FILES, cancellable: true });
  for (let current = 1; current < FILES && !asked.signal.aborted && !signal.aborted; current += 1) {
    build.update({ current, message: `src/part-${current % 7}.ts` });
    upload.update({ current: current * 4096, unit: 'bytes' });
    await sleep(TICK, undefined, { signal: AbortSignal.any([asked.signal, signal]) }).catch(() => undefined);
  }
  stop();
  if (asked.signal.aborted) build.cancel('asked_by_the_reader');
  if (!signal.aborted) await gateway.publish(session, [{ type: 'run', session, run, state: 'cancelled', at: Date.now() }]);
}
