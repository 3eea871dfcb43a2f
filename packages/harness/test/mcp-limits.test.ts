import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createMemorySink } from '@sitrep/harness/sink';
import { tapMcpTransport } from '@sitrep/harness/mcp';
import type { OperationEvent } from '@sitrep/schema/wire';
import { ManualClock, settle } from './support/manual-clock.ts';
import { call, handshake, progress, result, ScriptedTransport, tokenOf } from './support/scripted-transport.ts';
import type { Message } from './support/scripted-transport.ts';
import { tapped } from './support/tapped.ts';

const LIMITS = { idleMs: 60_000, totalMs: 400_000, unchangedMs: 150_000 };

async function begun(limits: object = LIMITS, request: Message = call(1)) {
  const all = tapped(undefined, { limits: limits as typeof LIMITS });
  await all.transport.send(request);
  const token = tokenOf(all.transport.sent[0]);
  return { ...all, token, last: () => [all.events.at(-1)?.state, all.events.at(-1)?.reason, all.events.at(-1)?.error?.code] };
}

/** A transport that opens a stream for each request, tapped. */
function streaming(options: Parameters<typeof tapped>[1]) {
  class Streaming extends ScriptedTransport {
    readonly hasPerRequestStream = true;
    readonly streams: (() => void)[] = [];
    override send(message: Message, sent?: { onRequestStreamEnd?: () => void }): Promise<void> {
      if (sent?.onRequestStreamEnd !== undefined) this.streams.push(sent.onRequestStreamEnd);
      return super.send(message);
    }
  }
  const transport = new Streaming();
  const sink = createMemorySink();
  tapMcpTransport(transport, { sink, session: 's', throttleMs: 0, clock: new ManualClock(), ...options });
  const seen: Message[] = [];
  transport.onmessage = (message) => seen.push(message);
  const send = (message: Message, sent: object): Promise<void> => transport.send(message, sent);
  return { transport, seen, send, events: sink.events as readonly OperationEvent[] };
}

describe('a call with limits', () => {
  it('goes on for as long as its server reports something new, and its timers are gone when it ends', async () => {
    const { transport, clock, token, last } = await begun();
    for (let minute = 1; minute <= 6; minute += 1) {
      clock.advance(59_000);
      transport.deliver(progress(token, minute, { total: 10 }));
    }
    transport.deliver(result(1));
    assert.deepEqual(last(), ['completed', undefined, undefined]);
    assert.deepEqual(clock.pending, []);
  });

  it('is given up after a silence: cancelled at the server, rejected at the client, failed for whoever watches', async () => {
    const { transport, clock, token, last, seen, tap } = await begun();
    clock.advance(59_999);
    transport.deliver(progress(token, 1));
    clock.advance(59_999);
    assert.equal(tap.counts.open, 1);
    clock.advance(1);
    assert.deepEqual(last(), ['failed', 'timeout', 'idle']);
    assert.deepEqual(transport.sent.slice(1), [
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1, reason: 'Nothing was heard of scan for 60 s; the call was given up.' },
      },
    ]);
    assert.deepEqual(seen, [
      {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32_001,
          message: 'Nothing was heard of scan for 60 s; the call was given up.',
          data: { limit: 'idle', ms: 60_000 },
        },
      },
    ]);
    assert.deepEqual([tap.counts.timedOut, tap.counts.open, clock.pending], [1, 0, []]);
  });

  it('keeps from the client what the server answers afterwards, once, and counts its progress as late', async () => {
    const { transport, clock, token, seen, events, tap } = await begun();
    clock.advance(60_000);
    const known = [seen.length, events.length];
    transport.deliver(progress(token, 2), result(1));
    assert.deepEqual([seen.length, events.length], known);
    assert.equal(tap.counts.retiredToken, 1);
    await transport.send(call(1));
    transport.deliver(result(1));
    assert.equal(seen.length, (known[0] as number) + 1);
  });

  it('is not given up because this side stood still while the server went on', async () => {
    const manual = new ManualClock();
    let behind = 0;
    const clock = { now: () => manual.now() + behind, after: manual.after };
    const { transport, tap, events } = tapped(undefined, { limits: LIMITS, clock });
    await transport.send(call(1));
    behind = 5000;
    manual.advance(60_000);
    assert.equal(tap.counts.open, 1);
    transport.deliver(progress(tokenOf(transport.sent[0]), 1));
    manual.advance(1);
    manual.advance(50_000);
    assert.equal(tap.counts.open, 1);
    behind = 10_000;
    manual.advance(10_000);
    manual.advance(1);
    assert.deepEqual([tap.counts.timedOut, events.at(-1)?.error?.code], [1, 'idle']);
  });

  it('ends at the ceiling whatever is heard of it', async () => {
    const { transport, clock, token, last } = await begun();
    for (let at = 0; at < 400_000; at += 20_000) {
      transport.deliver(progress(token, at));
      clock.advance(20_000);
    }
    assert.deepEqual(last(), ['failed', 'timeout', 'total']);
  });

  it('is not kept alive for ever by a server that only ticks', async () => {
    const { transport, clock, token, last, tap } = await begun();
    for (let tick = 0; tick < 7; tick += 1) {
      transport.deliver(progress(token, 3, { total: 7, message: 'working' }));
      clock.advance(20_000);
    }
    assert.equal(tap.counts.open, 1);
    clock.advance(20_000);
    assert.deepEqual(last(), ['failed', 'timeout', 'unchanged']);
    assert.equal(tap.counts.timedOut, 1);
  });

  it('that ticks is kept alive five times as long as a silent one when nothing else is said', async () => {
    const { transport, clock, token, last } = await begun({ idleMs: 10_000, totalMs: 1_000_000 });
    for (let tick = 0; tick < 9; tick += 1) {
      transport.deliver(progress(token, 1));
      clock.advance(5000);
    }
    assert.equal(last()[0], undefined);
    transport.deliver(progress(token, 1));
    clock.advance(5000);
    assert.deepEqual(last(), ['failed', 'timeout', 'unchanged']);
  });

  it('stands still while the server waits for an answer of this side, and goes on when it has it', async () => {
    const { transport, clock, last, tap } = await begun();
    transport.deliver({ jsonrpc: '2.0', id: 'ask', method: 'elicitation/create', params: { message: 'Which?' } });
    clock.advance(300_000);
    assert.equal(tap.counts.open, 1);
    await transport.send({ jsonrpc: '2.0', id: 'ask', result: { action: 'accept' } });
    clock.advance(59_999);
    assert.equal(tap.counts.open, 1);
    clock.advance(1);
    assert.deepEqual(last(), ['failed', 'timeout', 'idle']);
  });

  it('stands still also when it begins while the server waits, and goes on when the server takes its question back', async () => {
    const { transport, clock, tap } = tapped(undefined, { limits: LIMITS });
    transport.deliver({ jsonrpc: '2.0', id: 0, method: 'roots/list' });
    await transport.send(call(1));
    clock.advance(100_000);
    assert.equal(tap.counts.open, 1);
    transport.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } });
    clock.advance(60_000);
    assert.equal(tap.counts.open, 0);
  });

  it('is ended by the ceiling even while somebody is asked', async () => {
    const { transport, clock, last } = await begun();
    transport.deliver({ jsonrpc: '2.0', id: 'ask', method: 'elicitation/create', params: {} });
    clock.advance(400_000);
    assert.deepEqual(last(), ['failed', 'timeout', 'total']);
  });

  it('leaves a call that became a task to the server', async () => {
    const { transport, clock, tap } = await begun();
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { task: { taskId: 't', status: 'working' } } });
    clock.advance(1_000_000);
    assert.deepEqual([tap.counts.open, clock.pending], [1, []]);
  });

  it('closes the stream of the request where that is how a call is cancelled, and sends no notice', async () => {
    const signals: AbortSignal[] = [];
    const transport = new ScriptedTransport();
    transport.send = (message: Message, options?: { requestSignal: AbortSignal }) => {
      transport.sent.push(message);
      if (options !== undefined) signals.push(options.requestSignal);
      return Promise.resolve();
    };
    const clock = new ManualClock();
    const sink = createMemorySink();
    tapMcpTransport(transport, { sink, session: 's', throttleMs: 0, clock, limits: LIMITS });
    const client = new AbortController();
    await (transport.send as (message: Message, options: object) => Promise<void>)(call(5), { requestSignal: client.signal });
    clock.advance(60_000);
    assert.deepEqual([signals[0]?.aborted, client.signal.aborted], [true, false]);
    assert.deepEqual(
      transport.sent.map(({ method }) => method),
      ['tools/call'],
    );
    assert.deepEqual(
      (sink.events as OperationEvent[]).map(({ state, reason }) => [state, reason]),
      [
        ['running', undefined],
        ['failed', 'timeout'],
      ],
    );
  });

  it('is cancelled when the client closes the stream of its request', async () => {
    const { transport, events } = tapped();
    const client = new AbortController();
    await (transport.send as (message: Message, options: object) => Promise<void>)(call(5), { requestSignal: client.signal });
    client.abort();
    transport.deliver(result(5));
    assert.deepEqual([events.at(-1)?.state, events.at(-1)?.reason], ['cancelled', 'cancelled_by_client']);
  });

  it('that has a stream of its own is over when the stream ends without an answer, and the caller hears of it', async () => {
    for (const limits of [LIMITS, undefined]) {
      const { transport, events, seen, send } = streaming({ limits });
      const ends: string[] = [];
      await send(call(5), { onRequestStreamEnd: () => ends.push('client') });
      await send(call(6), {});
      transport.deliver(result(6));
      for (const end of transport.streams) end();
      assert.deepEqual(
        events.filter(({ state }) => state !== 'running').map(({ state, reason }) => [state, reason]),
        [
          ['completed', undefined],
          ['interrupted', 'stream_ended'],
        ],
      );
      assert.deepEqual(ends, ['client']);
      const answers = seen.filter((message) => message.id === 5).map((message) => (message['error'] as { code: number }).code);
      assert.deepEqual(answers, limits === undefined ? [] : [-32_000]);
    }
  });

  it('is not begun with limits that are no times', () => {
    for (const wrong of [0, -1, Number.NaN, Infinity, 3_000_000_000, '60', undefined]) {
      for (const name of ['idleMs', 'totalMs', 'unchangedMs']) {
        if (name === 'unchangedMs' && wrong === undefined) continue;
        assert.throws(() => tapped(undefined, { limits: { ...LIMITS, [name]: wrong } }), new RegExp(`limits.${name} must be milliseconds`));
      }
    }
  });

  it('gives a client room beyond the ceiling, and none where there is no ceiling', () => {
    assert.deepEqual(tapped(undefined, { limits: LIMITS }).tap.requestOptions, { timeout: 401_000 });
    assert.deepEqual(tapped().tap.requestOptions, {});
  });

  it('rejects at the client of the SDK with the code of a timeout, and the connection goes on', async () => {
    const { transport, tap, clock, events } = tapped(
      (message, self) => {
        if (!handshake(message, self) && message.method === 'tools/call' && message.params?.['name'] === 'quick')
          self.deliver(result(message.id as number));
      },
      { limits: LIMITS },
    );
    const client = new Client({ name: 'test', version: '1' });
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    await client.connect(transport as unknown as Transport);
    const slow = client.callTool({ name: 'slow' }, undefined, tap.requestOptions);
    await settle();
    clock.advance(60_000);
    await assert.rejects(slow, (error: Error & { code?: number }) => error.code === -32_001);
    assert.deepEqual([events.at(-1)?.state, events.at(-1)?.reason], ['failed', 'timeout']);
    const request = transport.sent.find(({ method }) => method === 'tools/call');
    transport.deliver(progress(tokenOf(request), 1), result(request?.id as number));
    await client.callTool({ name: 'quick' });
    await settle();
    assert.deepEqual(errors, []);
  });
});
