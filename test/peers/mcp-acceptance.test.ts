import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createMemorySink } from '@sitrep/harness/sink';
import { createReporter, currentReporter, track, trackStream } from '@sitrep/harness/reporter';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { Operation, OperationEvent } from '@sitrep/schema/wire';
import { MODERN, overStdioV1, overStdioV2 } from './mcp/clients.ts';
import type { Connection } from './mcp/connection.ts';

/** What an agent runtime does with the tools of a model: each dispatch gets the runtime's own id for the call. */
function runtime(connection: () => Connection) {
  const sink = createMemorySink();
  const dispatch = <T>(internalCallId: string, tool: () => Promise<T>): Promise<T> =>
    track(createReporter({ sink, session: 's', id: internalCallId, throttleMs: 0 }), tool);
  return {
    sink,
    dispatch,
    mcp: (internalCallId: string, name: string, args: Record<string, unknown> = {}, signal?: AbortSignal) =>
      dispatch(internalCallId, () => connection().call(name, args, signal === undefined ? {} : { signal })),
    events: (id: string): OperationEvent[] => (sink.events as OperationEvent[]).filter((event) => event.id === id),
    records(): Map<unknown, Operation> {
      const index = new SessionIndex('s');
      for (const event of sink.events) index.apply(event);
      return new Map([...index.operations.values()].map((operation) => [operation.id, operation]));
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const told = (operation: Operation | undefined): unknown[] => [operation?.state, operation?.current, operation?.total, operation?.parent];

for (const [name, open] of [
  ['SDK 1.x', overStdioV1],
  ['SDK 2.x, revision 2026-07-28', (options: object) => overStdioV2(MODERN, options)],
] as const) {
  describe(`a runtime whose MCP tools are called with ${name}`, () => {
    let connection: Connection;
    before(async () => void (connection = await open({ reporterFor: () => currentReporter() })));
    after(() => connection.close());
    const current = (): Connection => connection;

    it('gets native and MCP progress through one channel, each under the id of its own call', async () => {
      const { mcp, dispatch, records } = runtime(current);
      await Promise.all([
        dispatch('native-1', async () => {
          currentReporter()?.update({ current: 42, total: 100, unit: 'files' });
          await Promise.resolve();
          currentReporter()?.update({ current: 8_388_608, unit: 'bytes', total: null });
        }),
        mcp('mcp-1', 'burst'),
      ]);
      assert.deepEqual(told(records().get('native-1')), ['completed', 8_388_608, undefined, undefined]);
      assert.deepEqual(told(records().get('mcp-1')), ['completed', 4, 4, undefined]);
      assert.equal(records().size, 2);
    });

    it('never mixes two identical calls at once', async () => {
      const { mcp, events } = runtime(current);
      await Promise.all([mcp('a', 'pair', { label: 'same' }), mcp('b', 'pair', { label: 'same' })]);
      await Promise.all([mcp('c', 'pair', { label: 'c' }), mcp('d', 'pair', { label: 'd' })]);
      for (const id of ['a', 'b', 'c', 'd']) {
        assert.deepEqual(
          events(id).map(({ state, current: amount }) => amount ?? state),
          ['running', 1, 2, 3, 'completed'],
        );
        const label = id < 'c' ? 'same' : id;
        assert.ok(events(id).every(({ message }) => message === undefined || message === label));
      }
    });

    it('nests calls: MCP inside native, and what the server nests inside its tool', async () => {
      const { mcp, dispatch, records } = runtime(current);
      await dispatch('outer', async () => {
        currentReporter()?.update({ current: 1 });
        await mcp('inner', 'nested');
      });
      const all = [...records().values()];
      assert.deepEqual(told(records().get('outer')), ['completed', 1, undefined, undefined]);
      assert.deepEqual(told(records().get('inner')), ['completed', 1, 2, 'outer']);
      const middle = all.find(({ title }) => title === 'Middle');
      assert.deepEqual(told(middle), ['completed', undefined, undefined, 'inner']);
      assert.deepEqual(told(all.find(({ title }) => title === 'Inner')), ['failed', 5, 9, middle?.id]);
    });

    it('gets nothing made up for a tool that reports nothing', async () => {
      const { mcp, events } = runtime(current);
      await mcp('quiet', 'silent');
      assert.deepEqual(
        events('quiet').map(({ state }) => state),
        ['running', 'completed'],
      );
      for (const event of events('quiet')) for (const key of ['current', 'total', 'fraction', 'message']) assert.ok(!(key in event));
    });

    for (const [label, state, reason] of [
      ['completed', 'completed', undefined],
      ['failed', 'failed', 'tool_error'],
      ['thrown', 'failed', undefined],
      ['denied', 'denied', 'policy'],
      ['cancelled', 'cancelled', 'enough'],
      ['interrupted', 'interrupted', 'lost'],
    ] as const) {
      it(`drops and counts what comes after a call has ${label}`, async () => {
        const { mcp, events, records } = runtime(current);
        const { retiredToken } = connection.tap.counts;
        await mcp('late', 'late', { label });
        while (connection.tap.counts.retiredToken === retiredToken) await pause(5);
        await mcp('next', 'silent');
        const record = records().get('late');
        assert.deepEqual([record?.state, record?.current], [state, 1]);
        if (reason !== undefined) assert.equal(record?.reason, reason);
        assert.equal(events('late').filter((event) => event.current === 99 || event.current === 2).length, 0);
        assert.equal(connection.tap.counts.retiredToken, retiredToken + 1);
        assert.deepEqual(connection.errors, []);
      });
    }

    it('is done with a call it has cancelled itself, though the tool goes on and completes', async () => {
      const { mcp, events, records } = runtime(current);
      const abort = new AbortController();
      const call = mcp('stopped', 'stubborn', { label: 'late' }, abort.signal);
      while (!events('stopped').some((event) => event.current === 1)) await pause(5);
      abort.abort('stopped');
      await assert.rejects(call);
      await pause(50);
      await mcp('next', 'silent');
      assert.deepEqual(told(records().get('stopped')), ['cancelled', 1, undefined, undefined]);
      assert.equal(events('stopped').length, 3);
    });

    it('has the same story from a run that streams and from one that does not', async () => {
      async function story(streaming: boolean): Promise<unknown[]> {
        const { sink, mcp } = runtime(current);
        const turn = createReporter({ sink, session: 's', id: 'turn', throttleMs: 0 });
        const work = async (): Promise<void> => {
          await mcp('call', 'burst');
          currentReporter()?.update({ message: 'answering' });
        };
        if (!streaming) await turn.track(work);
        else {
          const parts = trackStream(turn, async function* () {
            yield 'text';
            await work();
            yield 'more';
          });
          for await (const part of parts) void part;
        }
        return sink.events.map((event) => ({ ...event, at: 0 }));
      }
      assert.deepEqual(await story(true), await story(false));
    });

    it('gives the model the same result whether anybody watches, and whatever becomes of who does', async () => {
      const { mcp } = runtime(current);
      const unwatched = await connection.call('burst');
      assert.deepEqual(await mcp('watched', 'burst'), unwatched);
      for (const send of [
        (): never => {
          throw new Error('sink');
        },
        () => new Promise(() => {}) as never,
      ]) {
        const sink = { send, flush: () => Promise.resolve(), close: () => Promise.resolve() };
        const reporter = createReporter({ sink, session: 's', throttleMs: 0 });
        assert.deepEqual(await track(reporter, () => connection.call('burst')), unwatched);
      }
    });
  });
}
