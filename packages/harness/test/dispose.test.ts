import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createHttpSink, createMemorySink } from '@sitrep/harness/sink';
import { createReporter } from '@sitrep/harness/reporter';
import type { Sink } from '@sitrep/harness';
import type { OperationEvent } from '@sitrep/schema/wire';

function setup() {
  const sink = createMemorySink();
  const states = (): unknown[] => (sink.events as readonly OperationEvent[]).map(({ state, reason }) => [state, reason]);
  return { sink, states, options: { sink, session: 's', id: 'x', throttleMs: 0 } };
}

describe('a reporter in a using declaration', () => {
  it('that was never ended is interrupted when its block is left, never completed', async () => {
    for (const leave of ['return', 'throw', 'await'] as const) {
      const { options, states } = setup();
      const error = new Error('body');
      const body = async (): Promise<string> => {
        if (leave === 'await') {
          await using reporter = createReporter(options);
          reporter.update({ current: 1 });
          return 'result';
        }
        using reporter = createReporter(options);
        reporter.update({ current: 1 });
        if (leave === 'throw') throw error;
        return 'result';
      };
      if (leave === 'throw') await assert.rejects(body(), (thrown) => thrown === error);
      else assert.equal(await body(), 'result');
      assert.deepEqual(states(), [
        ['running', undefined],
        [undefined, undefined],
        ['interrupted', 'disposed'],
      ]);
    }
  });

  it('keeps the end that was reported, whichever it was, and counts nothing as late', () => {
    for (const end of ['complete', 'fail', 'cancel', 'deny', 'interrupt'] as const) {
      const { options, states } = setup();
      let counts;
      {
        using reporter = createReporter(options);
        reporter[end]();
        counts = reporter.counts;
      }
      const words = { complete: 'completed', fail: 'failed', cancel: 'cancelled', deny: 'denied', interrupt: 'interrupted' };
      assert.deepEqual(states(), [
        ['running', undefined],
        [words[end], undefined],
      ]);
      assert.equal(counts.late, 0);
    }
  });

  it('leaves a newer attempt alone', () => {
    const { options, states } = setup();
    {
      using first = createReporter(options);
      first.retry().complete();
    }
    assert.deepEqual(
      states().map((state) => (state as unknown[])[0]),
      ['running', 'running', 'completed'],
    );
  });

  it('waits for no sink, not even one that hangs', async () => {
    const hanging: Sink = { send: () => {}, flush: () => new Promise(() => {}), close: () => new Promise(() => {}) };
    await (async () => {
      await using reporter = createReporter({ ...setup().options, sink: hanging });
      reporter.update({ current: 1 });
    })();
  });
});

describe('sinks in an await using declaration', () => {
  it('close when their block is left: what waits reaches the gateway first', async () => {
    const received: OperationEvent[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        const events = JSON.parse(text) as OperationEvent[];
        received.push(...events);
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ results: events.map(() => ({ outcome: 'applied' })) }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      {
        await using sink = createHttpSink({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
        using reporter = createReporter({ ...setup().options, sink });
        reporter.update({ current: 1 });
      }
      assert.deepEqual(
        received.map(({ state }) => state),
        ['running', 'interrupted'],
      );
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('in memory keep only their newest events', () => {
    const kept = createMemorySink({ limit: 2 });
    const reporter = createReporter({ sink: kept, session: 's', throttleMs: 0 });
    for (let current = 1; current <= 3; current += 1) reporter.update({ current });
    assert.deepEqual(
      (kept.events as readonly OperationEvent[]).map(({ current }) => current),
      [2, 3],
    );
  });

  it('of the other kinds close likewise', async () => {
    const { createCallbackSink } = await import('@sitrep/harness/sink');
    const seen: unknown[] = [];
    const kept = createMemorySink();
    const called = createCallbackSink((event) => seen.push(event));
    {
      await using memory = kept;
      await using callback = called;
      createReporter({ ...setup().options, sink: memory });
      createReporter({ ...setup().options, sink: callback });
    }
    for (const sink of [kept, called]) createReporter({ ...setup().options, sink });
    assert.deepEqual([kept.events.length, seen.length], [1, 1]);
  });
});
