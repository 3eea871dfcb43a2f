import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { McpTapOptions } from '@sitrep/harness/mcp';
import { ManualClock } from '../../../packages/harness/test/support/manual-clock.ts';
import type { Absent, Scenario, Through } from '../record.ts';
import { fromNow, line, newest, operationsOf } from './connection.ts';
import type { Connection, Update } from './connection.ts';

/** What one variant of MCP differs in. */
export interface Variant {
  readonly came: (scenario: Scenario, row: Through | Absent) => void;
  readonly connect: (options?: Partial<McpTapOptions>) => Promise<Connection>;
  /** Whether what a server says after its answer still arrives. */
  readonly hearsLate: boolean;
  /** Whether the server hears of a cancellation; a stateless one has nobody to tell. */
  readonly hearsCancel?: boolean;
}

const textOf = (result: Record<string, unknown>): string => (result['content'] as [{ text: string }])[0].text;

/** The shared scenarios that every variant of MCP can be put through in one way. */
export function sharedScenarios({ came, connect, hearsLate, hearsCancel = true }: Variant): void {
  let shared: Connection | undefined;
  before(async () => void (shared = await connect()));
  after(() => shared?.close());

  /** One connection for all, and one of its own for whoever needs other options. */
  async function withConnection(use: (connection: Connection) => Promise<void>, options?: Partial<McpTapOptions>): Promise<void> {
    if (options === undefined && shared !== undefined) return use(fromNow(shared));
    const connection = await connect(options);
    try {
      await use(connection);
    } finally {
      await connection.close();
    }
  }

  it('a burst: the tap has every update, whatever the client’s own library makes of them', () =>
    withConnection(async (connection) => {
      const heard: Update[] = [];
      await connection.call('burst', {}, { onprogress: (update) => heard.push(update) });
      await connection.call('burst');
      assert.ok(heard.length <= 4);
      assert.equal(connection.tap.counts.progress, 8);
      for (const each of operationsOf(connection)) assert.equal(line(each), 'burst completed 4 of 4 step 4');
      assert.deepEqual(
        newest(connection).map(({ state, current }) => state ?? current),
        ['running', 1, 2, 3, 4, 'completed'],
      );
      came('burst', { sent: '4 updates and the answer at once', peer: 'at most 4 updates', ours: '4 updates, then completed' });
    }));

  it('late updates: dropped and counted, and the client is not troubled with those it never asked for', () =>
    withConnection(async (connection) => {
      await connection.call('late');
      const expected = hearsLate ? 1 : 0;
      while (connection.tap.counts.retiredToken < expected) await new Promise((resolve) => setTimeout(resolve, 10));
      // What nobody hears cannot be waited for.
      await new Promise((resolve) => setTimeout(resolve, 60));
      await connection.call('silent');
      assert.equal(line(operationsOf(connection)[0] as never), 'late completed 1');
      assert.deepEqual([connection.tap.counts.retiredToken, connection.errors], [expected, []]);
      came('late', {
        sent: '1 update, the answer, 1 update by the reporter, 1 past it',
        peer: hearsLate ? 'the one past the reporter, which the tap keeps from a client that did not ask' : 'nothing after the answer',
        ours: hearsLate ? 'completed; 1 dropped as late' : 'completed',
      });
    }));

  it('repeated and falling amounts: what the server writes rises, what we show is what was reported', () => {
    const written: number[] = [];
    const onProgress = (_: unknown, { progress }: { progress: number }): unknown => written.push(progress);
    return withConnection(
      async (connection) => {
        await connection.call('amounts');
        const amounts = newest(connection).flatMap(({ current }) => (typeof current === 'number' ? [current] : []));
        assert.deepEqual([amounts, connection.tap.counts.nonRising], [[3, 3, 1, 4], 0]);
        assert.deepEqual(written, [3, 3.000001, 3.000002, 4]);
        came('amounts', { sent: '3, 3, 1, 4 of 10', peer: `${written.join(', ')} of 10`, ours: `${amounts.join(', ')} of 10` });
      },
      { onProgress },
    );
  });

  it('two identical calls at once: each has its own updates and its own end', () =>
    withConnection(async (connection) => {
      const answers = await Promise.all([1, 2].map(() => connection.call('pair', { label: 'same' })));
      assert.deepEqual(answers.map(textOf), ['same', 'same']);
      const own = await Promise.all(['a', 'b'].map((label) => connection.call('pair', { label })));
      assert.deepEqual(own.map(textOf), ['a', 'b']);
      const lines = operationsOf(connection).map(line);
      assert.deepEqual(lines.slice(0, 2), ['pair completed 3 of 3 same', 'pair completed 3 of 3 same']);
      assert.deepEqual(lines.slice(2).sort(), ['pair completed 3 of 3 a', 'pair completed 3 of 3 b']);
      for (const { id } of operationsOf(connection)) {
        const events = connection.sink.events.filter((event) => 'id' in event && event.id === id);
        assert.equal(events.length, 5);
      }
      came('concurrent', { sent: '3 updates in each of two calls', peer: 'by token', ours: 'two operations, 3 updates each' });
    }));

  it('nested three deep: operations inside the call arrive as its children, each with its own end', () =>
    withConnection(async (connection) => {
      await connection.call('nested');
      const all = operationsOf(connection);
      const parents = all.map(({ parent }) => all.findIndex(({ id }) => id === parent));
      assert.deepEqual(all.map(line), ['nested completed 1 of 2', 'Middle completed', 'Inner failed 5 of 9 Disk full']);
      assert.deepEqual(parents, [-1, 0, 1]);
      came('nested', {
        sent: 'a call, an operation in it, one in that which fails',
        peer: 'the amounts of the call alone',
        ours: all.map(line).join('; '),
      });
    }));

  it('a cancel, then a completion: cancelled on both sides at once', () =>
    withConnection(async (connection) => {
      const abort = new AbortController();
      const call = connection.call('stubborn', {}, { signal: abort.signal, onprogress: () => abort.abort('stopped') });
      await assert.rejects(call);
      assert.equal(line(operationsOf(connection)[0] as never).replace(/ 1 .*/, ' 1'), 'stubborn cancelled (cancelled_by_client) 1');
      if (hearsCancel) assert.deepEqual(await endOf(connection, 'stubborn'), ['running', 'cancelled']);
      assert.deepEqual(connection.errors, []);
      came('cancel-completed', {
        sent: '1 update; the client cancels; the tool completes',
        peer: 'the call is rejected; no answer comes',
        ours: hearsCancel ? 'cancelled, in the client’s session and in the server’s' : 'cancelled; the server is not told',
      });
    }));

  it('denied: the word arrives although MCP has none', () =>
    withConnection(async (connection) => {
      await connection.call('denied');
      await connection.call('broken');
      assert.deepEqual(operationsOf(connection).map(line), [
        'denied denied (policy) Not on a Friday',
        'broken failed (tool_error) No such file',
      ]);
      came('denied', { sent: 'denied (policy), then a result with isError', peer: 'a result with isError', ours: 'denied (policy)' });
    }));

  it('silence: a call that reports nothing has no amount, no text and no notification', () =>
    withConnection(async (connection) => {
      await connection.call('silent');
      const events = newest(connection);
      assert.deepEqual(
        events.map(({ state }) => state),
        ['running', 'completed'],
      );
      for (const event of events) for (const key of ['current', 'total', 'fraction', 'message']) assert.ok(!(key in event));
      assert.equal(connection.tap.counts.progress, 0);
      came('silence', { sent: 'the answer alone', peer: 'no progress', ours: 'running, completed; no amount' });
    }));

  it('a handler written as the README writes it gets its arguments, the request and the reporter', () =>
    withConnection(async (connection) => {
      assert.match(textOf(await connection.call('typed', { label: 'x' })), /^\d+$/);
      assert.equal(line(operationsOf(connection)[0] as never), 'typed completed 1 of 1 X');
    }));

  it('the caller’s own _meta arrives beside the token', () =>
    withConnection(async (connection) => {
      const meta = JSON.parse(textOf(await connection.call('meta', {}, { meta: { trace: 'abc' } }))) as Record<string, unknown>;
      assert.deepEqual([meta['trace'], typeof meta['progressToken']], ['abc', 'string']);
      const asked = await connection.call('meta', {}, { meta: { trace: 'abc' }, onprogress: () => {} });
      assert.equal(typeof (JSON.parse(textOf(asked)) as Record<string, unknown>)['progressToken'], 'number');
    }));

  it('a call that reports outlives the time a client would wait by itself, because the tap keeps the time', () =>
    withConnection(
      async (connection) => {
        const { tap } = connection;
        await assert.rejects(connection.call('slow', { label: 'endless' }, { timeout: 200 }));
        await connection.call('slow', {}, tap.requestOptions);
        const [dead, alive] = operationsOf(connection);
        assert.equal(dead?.state, 'cancelled');
        assert.equal(line(alive as never), 'slow completed 10 of 10');
        assert.equal(tap.counts.timedOut, 0);
      },
      { limits: { idleMs: 20_000, totalMs: 60_000 } },
    ));

  it('a call that only ticks is given up: the server hears of it, the caller is rejected, the connection goes on', () => {
    // Time passes with each tick that arrives, so that a slow machine makes no silence of its own.
    const clock = new ManualClock();
    return withConnection(
      async (connection) => {
        const { tap, errors } = connection;
        const call = connection.call('ticking', {}, tap.requestOptions);
        await assert.rejects(call, (error: Error & { code?: unknown }) => error.code === -32_001);
        const [given] = operationsOf(connection);
        assert.deepEqual([given?.state, given?.reason, given?.error?.code], ['failed', 'timeout', 'unchanged']);
        if (hearsCancel) assert.deepEqual(await endOf(connection, 'ticking'), ['running', 'cancelled']);
        assert.deepEqual([tap.counts.timedOut, errors], [1, []]);
      },
      { limits: { idleMs: 900, totalMs: 10_000, unchangedMs: 1200 }, clock, onProgress: () => clock.advance(100) },
    );
  });
}

/** What the server's own sink has of the newest call of a tool, once it has ended; the server needs a moment to notice. */
async function endOf(connection: Connection, name: string): Promise<string[]> {
  for (let tries = 0; tries < 5_000; tries += 1) {
    const answer = JSON.parse(textOf(await connection.call('story', { name }))) as string[];
    if (answer.length > 1) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`The server has not noticed that ${name} was cancelled.`);
}
