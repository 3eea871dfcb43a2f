import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createMemorySink } from '@sitrep/harness/sink';
import type { MemorySink } from '@sitrep/harness/sink';
import { createReporter, currentReporter, track, trackStream } from '@sitrep/harness/reporter';
import { tapMcpTransport } from '@sitrep/harness/mcp';
import { SessionIndex } from '@sitrep/schema/reduce';
import { percent } from '@sitrep/schema/select';
import type { Id, Operation, OperationEvent } from '@sitrep/schema/wire';
import { call, progress, result, ScriptedTransport, tokenOf } from './support/scripted-transport.ts';

function records(sink: MemorySink): Map<Id, Operation> {
  const index = new SessionIndex('s');
  for (const event of sink.events) index.apply(event);
  return new Map([...index.operations.values()].map((operation) => [operation.id, operation]));
}

/** A host that gives each dispatch an internal call id and knows native and MCP tools. */
function createHost(sink: MemorySink) {
  const transport = new ScriptedTransport();
  tapMcpTransport(transport, { reporterFor: () => currentReporter() });
  transport.onmessage = () => {};
  let requests = 0;
  return {
    transport,
    native: <T>(internalCallId: string, tool: () => Promise<T>) =>
      track(createReporter({ sink, session: 's', id: internalCallId, tool: { name: 'scan', origin: 'native' }, throttleMs: 0 }), tool),
    mcp: (internalCallId: string, answer: (request: ReturnType<typeof call>) => readonly ReturnType<typeof call>[]) =>
      track(createReporter({ sink, session: 's', id: internalCallId, tool: { name: 'scan', origin: 'mcp' }, throttleMs: 0 }), async () => {
        const id = (requests += 1);
        await transport.send(call(id));
        const request = transport.sent.find((sent) => sent.id === id) ?? call(0);
        await Promise.resolve();
        transport.deliver(...answer(request));
      }),
  };
}

describe('a host with native and MCP tools of one name', () => {
  it('sees each progress under the internal call id of its own invocation, parallel and nested', async () => {
    const sink = createMemorySink();
    const { native, mcp } = createHost(sink);
    await Promise.all([
      native('n1', async () => {
        currentReporter()?.update({ current: 42, total: 100, unit: 'files' });
        await mcp('m-inside', (request) => [progress(tokenOf(request), 1, { total: 4 }), result(request.id ?? 0)]);
        currentReporter()?.update({ current: 43 });
      }),
      native('n2', async () => {
        await Promise.resolve();
        currentReporter()?.update({ current: 8_388_608, unit: 'bytes' });
      }),
      mcp('m1', (request) => [progress(tokenOf(request), 10, { message: 'ten' }), result(request.id ?? 0)]),
      mcp('m2', (request) => [result(request.id ?? 0, { isError: true, content: [{ type: 'text', text: 'denied' }] })]),
      mcp('m3', (request) => [result(request.id ?? 0)]),
    ]);
    const byId = records(sink);
    const told = (id: string): unknown[] => {
      const operation = byId.get(id);
      return [operation?.state, operation?.current, operation?.total, operation?.parent, operation?.reason];
    };
    assert.deepEqual(told('n1'), ['completed', 43, 100, undefined, undefined]);
    assert.deepEqual(told('m-inside'), ['completed', 1, 4, 'n1', undefined]);
    assert.deepEqual(told('n2'), ['completed', 8_388_608, undefined, undefined, undefined]);
    assert.deepEqual(told('m1'), ['completed', 10, undefined, undefined, undefined]);
    assert.deepEqual(told('m2'), ['failed', undefined, undefined, undefined, 'tool_error']);
    assert.deepEqual(told('m3'), ['completed', undefined, undefined, undefined, undefined]);
    assert.equal(byId.size, 6);
    const running = { ...(byId.get('n2') as Operation), state: 'running' as const };
    assert.equal(percent(running), undefined);
  });

  it('gets the same story from a run that streams and one that does not, for MCP too', async () => {
    async function story(streaming: boolean): Promise<unknown[]> {
      const sink = createMemorySink();
      const transport = new ScriptedTransport((request, self) =>
        self.deliver(progress(tokenOf(request), 1, { total: 2 }), progress(tokenOf(request), 2, { total: 2 }), result(request.id ?? 0)),
      );
      tapMcpTransport(transport, { sink, session: 's', throttleMs: 0, native: null });
      transport.onmessage = () => {};
      const turn = createReporter({ sink, session: 's', id: 'turn', throttleMs: 0 });
      const work = async (): Promise<void> => {
        await transport.send(call(1));
        currentReporter()?.update({ message: 'answering' });
      };
      if (streaming) {
        const parts = trackStream(turn, async function* () {
          yield 'text';
          await work();
          yield 'more';
        });
        for await (const part of parts) void part;
      } else {
        await turn.track(work);
      }
      const ids = [...new Set(sink.events.map((event) => (event as OperationEvent).id))];
      return sink.events.map((event) => ({ ...event, at: 0, id: ids.indexOf((event as OperationEvent).id) }));
    }
    assert.deepEqual(await story(true), await story(false));
  });
});

describe('any interleaving of concurrent MCP calls', () => {
  it('leaves each operation as it would be alone', () => {
    const step = fc.record({
      call: fc.nat(4),
      amount: fc.double({ noNaN: true, min: -10, max: 1000 }),
      total: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
    });
    const end = fc.record({ call: fc.nat(4), end: fc.constantFrom('result', 'isError', 'error', 'cancel') });
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 4, arbitrary: step }, end), { size: 'max', maxLength: 80 }), (script) => {
        const play = (only?: number): Map<number, Operation> => {
          const sink = createMemorySink();
          const transport = new ScriptedTransport();
          tapMcpTransport(transport, {
            sink,
            session: 's',
            throttleMs: 0,
            clock: { now: () => 1000, after: () => () => {} },
            native: null,
          });
          transport.onmessage = () => {};
          for (let id = 0; id < 5; id += 1) void transport.send(call(id, id % 2 === 0 ? undefined : { progressToken: id }));
          const tokens = transport.sent.map(tokenOf);
          for (const move of script) {
            if (only !== undefined && move.call !== only) continue;
            if ('amount' in move)
              transport.deliver(progress(tokens[move.call], move.amount, move.total === undefined ? {} : { total: move.total }));
            else if (move.end === 'result') transport.deliver(result(move.call));
            else if (move.end === 'isError') transport.deliver(result(move.call, { isError: true }));
            else if (move.end === 'error') transport.deliver({ jsonrpc: '2.0', id: move.call, error: { code: 1, message: 'no' } });
            else void transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: move.call } });
          }
          return new Map([...records(sink).values()].map((operation, index) => [index, { ...operation, id: index }]));
        };
        const together = play();
        assert.equal(together.size, 5);
        for (const [index, operation] of together) assert.deepEqual(operation, play(index).get(index));
      }),
      { numRuns: 60 },
    );
  });
});
