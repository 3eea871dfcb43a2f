import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createHttpCardWriter, createHttpSink } from '@sitrep/harness';
import type { Diagnostic, HttpSinkOptions } from '@sitrep/harness';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';

const OPERATION = { type: 'operation', session: 's', id: 'a', at: 1 } as const;

/** What reaches a gateway of these events, in order. */
async function delivered(events: readonly ProgressEvent[], options: Partial<HttpSinkOptions> = {}): Promise<ProgressEvent[]> {
  const received: ProgressEvent[] = [];
  const sink = createHttpSink({
    url: 'http://gateway',
    fetch: async (_, init) => {
      received.push(...(JSON.parse(String(init.body)) as ProgressEvent[]));
      return Response.json({ results: [] });
    },
    ...options,
  });
  for (const event of events) sink.send(event);
  await sink.flush();
  return received;
}

/** The operations these events lead to, apart from when they were last heard of: merged events are heard of once. */
function operationsOf(events: readonly ProgressEvent[]): unknown[] {
  const index = new SessionIndex('s');
  for (const event of events) index.apply(event);
  return [...index.operations.values()].map((record) => ({ ...record, updatedAt: 0 }));
}

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 });
const event = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        type: fc.constant('operation'),
        session: fc.constant('s'),
        id: fc.constantFrom('a', 1),
        attempt: optional(fc.integer({ min: 1, max: 2 })),
        seq: optional(fc.integer({ min: 0, max: 6 })),
        at: fc.integer({ min: 0, max: 20 }),
        state: optional(fc.constantFrom('running', 'waiting', 'blocked', 'completed', 'failed')),
        title: optional(fc.constantFrom('t', 'u', null)),
        message: optional(fc.constantFrom('m', 'n', null)),
        current: optional(fc.integer({ min: 0, max: 9 })),
        waitingOn: optional(fc.constant({ text: 'w' })),
      },
      { noNullPrototype: true },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('operation.clear'),
      session: fc.constant('s'),
      id: fc.constantFrom('a', 1),
      at: fc.constant(3),
    }),
  },
) as fc.Arbitrary<ProgressEvent>;

describe('events through an HTTP sink', () => {
  it('lead to the same operations as without it, whatever their order, attempts and undefined members', () =>
    fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 14, size: 'max' }), async (events) => {
        assert.deepEqual(operationsOf(await delivered(events)), operationsOf(JSON.parse(JSON.stringify(events))));
      }),
      { numRuns: 2000 },
    ));
  it('keep their order where one comes late: an older sequence never goes over a newer', async () => {
    const events = [
      { ...OPERATION, seq: 3, current: 80 },
      { ...OPERATION, seq: 2, current: 40 },
    ];
    assert.deepEqual(await delivered(events), events);
  });
  it('keep what an undefined member leaves alone', async () => {
    const events = [{ ...OPERATION, title: 'T' }, { ...OPERATION, title: undefined, current: 1 } as never];
    assert.deepEqual(await delivered(events), [{ ...OPERATION, title: 'T', current: 1 }]);
  });
  it('put nothing of a report that comes after the end into it', async () => {
    const end = { ...OPERATION, seq: 1, state: 'completed', current: 10 } as const;
    const late = { ...OPERATION, seq: 2, current: 99 };
    assert.deepEqual(await delivered([end, late]), [end, late]);
  });
  it('lose no end to a report that comes after it when the queue is full', async () => {
    const end = { ...OPERATION, seq: 5, state: 'completed' } as const;
    const late = { ...OPERATION, seq: 4, state: 'running' } as const;
    const other = { ...OPERATION, id: 'b', state: 'running' } as const;
    const [first, ...rest] = await delivered([end, late, other], { maxQueue: 2 });
    assert.deepEqual(first, end);
    assert.equal(rest.length, 1);
  });
});

describe('a full queue', () => {
  it('takes the explanation of a state along with the state that nobody sees', async () => {
    const waits = { ...OPERATION, seq: 1, state: 'waiting', waitingOn: { text: 'lock' } } as const;
    const blocked = { ...OPERATION, seq: 2, state: 'blocked', blockedOn: { kind: 'auth' } } as const;
    const goesOn = { ...OPERATION, seq: 3, state: 'running', current: 1 } as const;
    const received = (await delivered([waits, blocked, goesOn, { ...goesOn, seq: 4, state: 'paused' }], {
      maxQueue: 1,
    })) as OperationEvent[];
    assert.deepEqual(
      received.map(({ state, current, waitingOn, blockedOn }) => [state, current, waitingOn, blockedOn]),
      [['paused', 1, undefined, undefined]],
    );
    const [last] = (await delivered([waits, blocked], { maxQueue: 1 })) as OperationEvent[];
    assert.deepEqual([last?.state, last?.waitingOn, last?.blockedOn], ['blocked', undefined, { kind: 'auth' }]);
  });
  it('merges nothing across a clear', async () => {
    const clear = { type: 'operation.clear', session: 's', id: 'a', at: 2 } as const;
    const before = { ...OPERATION, state: 'running', title: 'before' } as const;
    const after = { ...OPERATION, attempt: 1, state: 'running' } as const;
    const received = await delivered([before, clear, after], { maxQueue: 2 });
    assert.deepEqual(
      received.filter(({ type }) => type === 'operation').map((each) => 'title' in each),
      [false],
    );
  });
});

describe('a session that no address can name', () => {
  for (const session of ['\ud800', 'a\udc00', '.', '..', '']) {
    it(`costs the event, not the queue: ${JSON.stringify(session)}`, async () => {
      const diagnostics: Diagnostic[] = [];
      const received = await delivered([{ ...OPERATION, session }, OPERATION], { onDiagnostic: (each) => diagnostics.push(each) });
      assert.deepEqual(received, [OPERATION]);
      assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ['session'],
      );
    });
  }
});

describe('a gateway that sends elsewhere', () => {
  it('has acknowledged nothing: the request is not turned into another one', async () => {
    const methods: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      methods.push(request.method);
      if (request.url === '/login') response.end('<html>');
      else response.writeHead(302, { location: '/login' }).end();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const diagnostics: Diagnostic[] = [];
      const sink = createHttpSink({ url, batchMs: 0, onDiagnostic: (each) => diagnostics.push(each) });
      sink.send(OPERATION);
      await sink.flush();
      assert.deepEqual([sink.stats.acknowledged, sink.stats.dropped, diagnostics[0]?.status], [0, 1, 302]);
      const written = await createHttpCardWriter({ url }).put('s', { markdown: 'm' });
      assert.deepEqual(written, { ok: false, code: 'unavailable', message: 'The gateway answered with status 302.' });
      assert.deepEqual(methods, ['POST', 'PUT']);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
