import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSharedSource, serveSharedWorker } from '@sitrep/client';
import type { PortLike, SharedWorkerLike, SharedWorkerScope } from '@sitrep/client';
import { manualClock, settle } from '../support/clock.ts';
import { operation } from '../support/events.ts';
import { history } from '../support/history.ts';
import { origin } from '../support/pages.ts';
import { recorder } from '../support/sink.ts';

/** A worker's scope, and what connects a page to it. `deaf`: its script never ran. */
function sharedWorker(deaf = false): {
  scope: SharedWorkerScope;
  connect: () => SharedWorkerLike & { fail(): void };
  /** The process it lives in ends, and nobody is told. */
  die(): void;
} {
  let connected: ((event: { readonly ports: readonly PortLike[] }) => void) | undefined;
  const own: MessagePort[] = [];
  return {
    die: () => own.forEach((port) => port.close()),
    scope: { addEventListener: (_, listener) => void (connected = listener) },
    connect() {
      const { port1, port2 } = new MessageChannel();
      const errors: (() => void)[] = [];
      own.push(port2);
      if (!deaf) connected!({ ports: [port2 as unknown as PortLike] });
      return {
        port: port1 as unknown as PortLike & { close(): void },
        addEventListener: (_, listener) => void errors.push(listener),
        fail: () => errors.forEach((listener) => listener()),
      };
    },
  };
}

describe('a worker that has the connection', () => {
  it('reads once for every page that connects, and closes when the last has left', async () => {
    const server = history();
    const worker = sharedWorker();
    serveSharedWorker(worker.scope, { source: server.source, linger: 0 });
    const controllers = [new AbortController(), new AbortController()];
    const sinks = [recorder(), recorder()];
    const done = sinks.map((sink, n) =>
      createSharedSource({ name: 's', source: history().source, worker: worker.connect }).open(sink, controllers[n]!.signal),
    );
    for (const sink of sinks) await sink.until(() => sink.frames.length === 1);
    server.add(operation('a', { current: 1 }));
    for (const sink of sinks) await sink.until(() => sink.cursors.includes('e:1'));
    assert.equal(server.cursors.length, 1);
    for (const controller of controllers) controller.abort();
    await Promise.all(done);
    while (server.open > 0) await settle();
  });

  for (const [name, worker] of Object.entries({
    'cannot be made': () => {
      throw new Error('no workers here');
    },
    'says nothing': sharedWorker(true).connect,
  })) {
    it(`is done without where it ${name}`, async () => {
      const server = history();
      const clock = manualClock();
      const { locks, channel } = origin().page();
      const controller = new AbortController();
      const sink = recorder();
      const done = createSharedSource({ name: 's', source: server.source, worker, locks, channel, clock }).open(sink, controller.signal);
      await clock.advance(10_000);
      await sink.until(() => sink.states.at(-1) === 'live');
      assert.equal(server.open, 1);
      controller.abort();
      await done;
      assert.equal(server.open, 0);
    });
  }

  it('is done without soon after its script has failed without a word of that to those who had come before', async () => {
    const server = history();
    const clock = manualClock();
    const { locks, channel } = origin().page();
    let made = 0;
    const worker = (): SharedWorkerLike => {
      made += 1;
      const first = made === 1;
      const { port1 } = new MessageChannel();
      const fail = (listener: () => void): void => void (first || queueMicrotask(listener));
      return { port: port1 as unknown as PortLike & { close(): void }, addEventListener: (_, listener) => fail(listener) };
    };
    const controller = new AbortController();
    const sink = recorder();
    const done = createSharedSource({ name: 's', source: server.source, worker, locks, channel, clock }).open(sink, controller.signal);
    await clock.advance(999);
    assert.equal(server.open, 0);
    await clock.advance(1);
    await sink.until(() => sink.states.at(-1) === 'live');
    assert.deepEqual([server.open, made], [1, 2]);
    controller.abort();
    await done;
    assert.equal(clock.pending, 0);
  });

  it('is made anew when it has died, and the page goes on', async () => {
    const server = history();
    const clock = manualClock();
    const workers = [sharedWorker(), sharedWorker()];
    for (const { scope } of workers) serveSharedWorker(scope, { source: server.source, linger: 0 });
    let living = 0;
    const controller = new AbortController();
    const sink = recorder();
    const worker = (): SharedWorkerLike => workers[living]!.connect();
    const done = createSharedSource({ name: 's', source: history().source, worker, clock, interval: 1_000 }).open(sink, controller.signal);
    await sink.until(() => sink.frames.length === 1);
    server.add(operation('a', { current: 1 }));
    await sink.until(() => sink.cursors.includes('e:1'));
    workers[0]!.die();
    living = 1;
    server.add(operation('a', { current: 2 }));
    await clock.advance(2.5 * 2_500);
    await sink.until(() => sink.states.at(-1) === 'live');
    server.add(operation('a', { current: 3 }));
    await sink.until(() => sink.cursors.includes('e:3'));
    // The new one was not there to see what came in between: it knows what it led to.
    assert.deepEqual(sink.cursors, ['e:0', 'e:1', 'e:2', 'e:3']);
    assert.deepEqual(
      sink.frames.map((frame) => (frame as { type: string }).type),
      ['snapshot', 'operation', 'snapshot', 'operation'],
    );
    assert.deepEqual(sink.states, ['connecting', 'live', 'reconnecting', 'live']);
    assert.deepEqual(sink.codes, ['watchdog']);
    controller.abort();
    await done;
  });

  it('is made once where it speaks', async () => {
    const server = history();
    const clock = manualClock();
    const worker = sharedWorker();
    serveSharedWorker(worker.scope, { source: server.source, linger: 0 });
    let made = 0;
    const connect = (): SharedWorkerLike => {
      made += 1;
      return worker.connect();
    };
    const controller = new AbortController();
    const sink = recorder();
    const done = createSharedSource({ name: 's', source: history().source, worker: connect, clock }).open(sink, controller.signal);
    await sink.until(() => sink.frames.length === 1);
    await clock.advance(1_500);
    assert.equal(made, 1);
    controller.abort();
    await done;
  });

  it('is done without as soon as its script has failed', async () => {
    const server = history();
    const { locks, channel } = origin().page();
    const worker = sharedWorker(true).connect();
    const controller = new AbortController();
    const sink = recorder();
    const done = createSharedSource({ name: 's', source: server.source, worker: () => worker, locks, channel }).open(
      sink,
      controller.signal,
    );
    worker.fail();
    await sink.until(() => sink.states.at(-1) === 'live');
    controller.abort();
    await done;
  });
});
