import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createMemorySink } from '@sitrep/harness/sink';
import { createReporter, currentReporter } from '@sitrep/harness/reporter';
import { tapMcpTransport } from '@sitrep/harness/mcp';
import type { OperationEvent } from '@sitrep/schema/wire';
import { settle } from './support/manual-clock.ts';
import { call, handshake, progress, result, ScriptedTransport, tokenOf } from './support/scripted-transport.ts';
import type { Message } from './support/scripted-transport.ts';
import { tapped } from './support/tapped.ts';

describe('a tools/call that passes the tap', () => {
  it('is an operation with the name of the tool, the server it knows, and the peer’s ids', async () => {
    const { transport, events } = tapped(undefined, { run: 'r', server: 'files' });
    await transport.send(call(3, { progressToken: 7 }));
    const [started] = events;
    assert.deepEqual(
      [started?.state, started?.title, started?.kind, started?.run, started?.tool, started?.native],
      [
        'running',
        'scan',
        'tool',
        'r',
        { name: 'scan', origin: 'mcp', server: 'files' },
        { protocol: 'mcp', ids: { requestId: 3, progressToken: 7 } },
      ],
    );
  });

  it('reports a burst that comes in one read with the response, all of it, before the end', async () => {
    const { transport, story, tap } = tapped((request, self) => {
      const token = tokenOf(request);
      self.deliver(
        progress(token, 1, { total: 3 }),
        progress(token, 2, { total: 3, message: 'half' }),
        progress(token, 3, { total: 3 }),
        result(request.id as number),
      );
    });
    await transport.send(call(1));
    assert.deepEqual(story(), [['running'], [1, 3], [2, 3, 'half'], [3, 3], ['completed']]);
    assert.deepEqual([tap.counts.progress, tap.counts.open], [3, 0]);
  });

  it('shows the newest of a throttled burst when the response ends it', async () => {
    const { transport, story } = tapped(
      (request, self) => {
        for (let amount = 1; amount <= 50; amount += 1) self.deliver(progress(tokenOf(request), amount, { total: 50 }));
        self.deliver(result(request.id as number));
      },
      { throttleMs: 100 },
    );
    await transport.send(call(1));
    assert.deepEqual(story(), [['running'], [1, 50], ['completed', 50, 50]]);
  });

  for (const token of [0, 7, '7', '', 'tok', -1, 1.5] as const) {
    it(`keeps the caller's token ${JSON.stringify(token)} exactly, and so does its progress`, async () => {
      const { transport, story, seen } = tapped((request, self) =>
        self.deliver(progress(token, 1, { total: 4 }), result(request.id as number)),
      );
      const request = call(1, { progressToken: token, trace: 'abc' });
      await transport.send(request);
      assert.equal(transport.sent[0], request);
      assert.deepEqual(story(), [['running'], [1, 4], ['completed']]);
      assert.equal(seen.length, 2);
    });
  }

  for (const [name, meta] of [
    ['none', undefined],
    ['null', { progressToken: null }],
    ['an object', { progressToken: {} }],
  ] as const) {
    it(`gets a token when the caller gave ${name}, beside the other _meta and on a copy`, async () => {
      const { transport } = tapped();
      const request = call(1, meta === undefined ? { trace: 'abc' } : { trace: 'abc', ...meta });
      const before = structuredClone(request);
      await transport.send(request);
      assert.deepEqual(request, before);
      const { _meta, ...params } = (transport.sent[0]?.params ?? { _meta: {} }) as { _meta: Record<string, unknown> };
      assert.deepEqual([_meta['trace'], typeof _meta['progressToken']], ['abc', 'string']);
      assert.deepEqual(params, { name: 'scan', arguments: { path: '/' } });
    });
  }

  it('passes progress for its own token by the client, which never asked, and everything else on unchanged', async () => {
    const { transport, seen } = tapped();
    await transport.send(call(1));
    await transport.send(call(2, { progressToken: 'mine' }));
    const own = progress(tokenOf(transport.sent[0]), 1);
    const messages = [
      progress('mine', 1),
      { jsonrpc: '2.0', method: 'notifications/message', params: {} },
      result(1),
      result(2),
    ] as Message[];
    transport.deliver(messages[0] as Message, own, ...messages.slice(1));
    transport.deliver(own);
    assert.deepEqual(seen, messages);
    seen.forEach((message, index) => assert.equal(message, messages[index]));
  });

  it('invents nothing for a silent server', async () => {
    const { transport, events } = tapped((request, self) => self.deliver(result(request.id as number)));
    await transport.send(call(1));
    assert.deepEqual(
      events.map(({ state }) => state),
      ['running', 'completed'],
    );
    for (const event of events) for (const field of ['current', 'total', 'fraction', 'message']) assert.ok(!(field in event));
  });

  it('shows a count without a total as a count', async () => {
    const { transport, story, events } = tapped();
    await transport.send(call(1));
    const token = tokenOf(transport.sent[0]);
    transport.deliver(progress(token, 1, { message: 'Resolving' }), progress(token, 2, { message: 'Generating' }), progress(token, 3));
    assert.deepEqual(story(), [['running'], [1, 'Resolving'], [2, 'Generating'], [3]]);
    for (const event of events) assert.ok(typeof event.total !== 'number' && !('fraction' in event));
  });

  it('shows values that do not rise as they are and flags them', async () => {
    const { transport, story, tap, diagnostics } = tapped();
    await transport.send(call(1));
    for (const amount of [1, 1, 0.5, 4]) transport.deliver(progress(tokenOf(transport.sent[0]), amount));
    assert.deepEqual(story(), [['running'], [1], [1], [0.5], [4]]);
    assert.equal(tap.counts.nonRising, 2);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['non_rising', 'non_rising'],
    );
  });

  it('of two identical concurrent calls keeps each its own progress and end', async () => {
    const { transport, events } = tapped();
    await transport.send(call(1));
    await transport.send(call(2));
    const [first, second] = transport.sent.map(tokenOf) as [string, string];
    assert.notEqual(first, second);
    transport.deliver(progress(second, 20), progress(first, 1), result(2), progress(first, 2), result(1));
    const [a, b] = events.map(({ id }) => id);
    assert.notEqual(a, b);
    assert.deepEqual(
      events.slice(2).map(({ id, current, state }) => [id === a ? 'a' : 'b', current ?? state]),
      [
        ['b', 20],
        ['a', 1],
        ['b', 'completed'],
        ['a', 2],
        ['a', 'completed'],
      ],
    );
  });

  it('with token 7 is another than the one with token "7"', async () => {
    const { transport, events } = tapped();
    await transport.send(call(1, { progressToken: 7 }));
    await transport.send(call('1', { progressToken: '7' }));
    transport.deliver(progress('7', 70), progress(7, 7), result('1'));
    const [number, text] = events.map(({ id }) => id);
    assert.deepEqual(
      events.slice(2).map(({ id, current, state }) => [id, current ?? state]),
      [
        [text, 70],
        [number, 7],
        [text, 'completed'],
      ],
    );
  });

  it('that reuses a token in use shows no progress that could be another call’s', async () => {
    const { transport, events, diagnostics } = tapped();
    await transport.send(call(1, { progressToken: 5 }));
    await transport.send(call(2, { progressToken: 5 }));
    transport.deliver(progress(5, 1), result(2), result(1));
    assert.equal(diagnostics[0]?.code, 'token_in_use');
    const [first, second] = events.map(({ id }) => id);
    assert.deepEqual(
      events.slice(2).map(({ id }) => id),
      [first, second, first],
    );
  });

  it('takes its parent from the reporter that is current where it is called, or its reporter from the host', async () => {
    const { transport, sink, events } = tapped();
    await createReporter({ sink, session: 's', id: 'outer' }).track(async () => transport.send(call(1)));
    assert.equal(events.find(({ title }) => title === 'scan')?.parent, 'outer');

    const bound = tapped(undefined, { reporterFor: () => currentReporter() });
    const reporter = createReporter({ sink: bound.sink, session: 's', id: 'internal-call-1', throttleMs: 0 });
    await reporter.track(async () => {
      await bound.transport.send(call(1));
      bound.transport.deliver(
        progress(tokenOf(bound.transport.sent[0]), 5),
        result(1, { isError: true, content: [{ type: 'text', text: 'no' }] }),
      );
    });
    assert.deepEqual(
      bound.events.map(({ id, current, state, reason }) => [id, current, state, reason]),
      [
        ['internal-call-1', undefined, 'running', undefined],
        ['internal-call-1', 5, undefined, undefined],
        ['internal-call-1', undefined, 'failed', 'tool_error'],
      ],
    );
  });

  it('reports into the current reporter when the tap has no sink of its own', async () => {
    const { transport, sink, events } = tapped(undefined, { sink: undefined, session: undefined });
    await transport.send(call(1));
    assert.equal(events.length, 0);
    await createReporter({ sink, session: 's', id: 'outer' }).track(async () => transport.send(call(2)));
    assert.deepEqual(
      events.filter(({ title }) => title === 'scan').map(({ parent }) => parent),
      ['outer'],
    );
  });
});

describe('how a call ends', () => {
  const endings: Record<string, [(transport: ScriptedTransport) => unknown, Partial<OperationEvent>]> = {
    'a result': [(transport) => transport.deliver(result(1)), { state: 'completed' }],
    'a result with isError': [
      (transport) => transport.deliver(result(1, { isError: true, content: [{ type: 'image' }, { type: 'text', text: 'no such file' }] })),
      { state: 'failed', reason: 'tool_error', error: { message: 'no such file' } },
    ],
    'a result with isError and no text': [
      (transport) => transport.deliver(result(1, { isError: true })),
      { state: 'failed', reason: 'tool_error', error: { message: 'scan reported an error.' } },
    ],
    'a JSON-RPC error': [
      (transport) => transport.deliver({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unknown tool' } }),
      { state: 'failed', reason: 'protocol_error', error: { message: 'Unknown tool', code: '-32602' } },
    ],
    'a cancellation sent': [
      (transport) =>
        transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'AbortError: stopped' } }),
      { state: 'cancelled', reason: 'cancelled_by_client', message: 'AbortError: stopped' },
    ],
    'the transport closing': [(transport) => transport.onclose?.(), { state: 'interrupted', reason: 'transport_closed' }],
    'the transport being closed': [(transport) => transport.close(), { state: 'interrupted', reason: 'transport_closed' }],
  };
  for (const [name, [end, expected]] of Object.entries(endings)) {
    it(`by ${name}: once, with progress and answers afterwards dropped and counted`, async () => {
      const { transport, events, tap } = tapped();
      transport.onclose = () => {};
      await transport.send(call(1));
      const token = tokenOf(transport.sent[0]);
      transport.deliver(progress(token, 30, { total: 100 }));
      await end(transport);
      await settle();
      const { type: _, session: __, id: ___, at: ____, attempt: _____, seq: ______, ...last } = events.at(-1) as OperationEvent;
      assert.deepEqual(last, expected);
      const count = events.length;
      transport.deliver(progress(token, 31), result(1), { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } });
      await transport.close();
      await settle();
      assert.equal(events.length, count);
      assert.deepEqual([tap.counts.retiredToken, tap.counts.open], [1, 0]);
    });
  }

  it('by a request that could not be sent, whose error the caller gets unchanged', async () => {
    const fault = new Error('Not connected');
    const { transport, events } = tapped(() => {
      throw fault;
    });
    assert.equal(await transport.send(call(1)).catch((error: unknown) => error), fault);
    await settle();
    assert.deepEqual(
      [events.at(-1)?.state, events.at(-1)?.reason, events.at(-1)?.error?.message],
      ['failed', 'send_failed', 'Not connected'],
    );
  });

  for (const [name, id] of Object.entries({ 'an empty id': '', 'a fraction': 1.5, 'a long text': 'x'.repeat(300), 'the id 0': 0 })) {
    it(`a call with ${name} shows its progress like any other`, async () => {
      const { transport, story, tap } = tapped();
      await transport.send(call(id));
      transport.deliver(progress(tokenOf(transport.sent[0]), 1, { total: 2 }), result(id));
      assert.deepEqual(story(), [['running'], [1, 2], ['completed']]);
      assert.equal(tap.counts.invalid, 0);
    });
  }

  it('a result beside an error that is none completes the call', async () => {
    for (const error of [undefined, null]) {
      const { transport, events } = tapped();
      await transport.send(call(1));
      transport.deliver({ ...result(1), error });
      assert.equal(events.at(-1)?.state, 'completed');
    }
    const { transport, events } = tapped();
    await transport.send(call(1));
    transport.deliver({ jsonrpc: '2.0', id: 1, error: null });
    assert.deepEqual([events.at(-1)?.state, events.at(-1)?.reason], ['failed', 'protocol_error']);
  });

  it('a request of the server with the id of an open call, and the answer to it, end nothing', async () => {
    const { transport, story, seen } = tapped();
    await transport.send(call(1));
    transport.deliver({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} });
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    transport.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    transport.deliver(progress(tokenOf(transport.sent[0]), 1), result(1), result(1));
    assert.deepEqual(story(), [['running'], [1], ['completed']]);
    assert.equal(seen.length, 4);
  });

  it('an answer that writes the number of its request as text ends it, as it does for the official clients', async () => {
    const { transport, story, tap } = tapped();
    await transport.send(call(7));
    transport.deliver(result('07'), result(' 7'), result('7'), result('7'));
    assert.deepEqual([story(), tap.counts.open], [[['running'], ['completed']], 0]);
  });

  it('an answer to "7" is none to 7 where the client uses both', async () => {
    const { transport, tap } = tapped();
    await transport.send(call(7));
    await transport.send(call('7'));
    transport.deliver(result('7'), result('7'));
    assert.equal(tap.counts.open, 1);
    transport.deliver(result(7));
    assert.equal(tap.counts.open, 0);
  });

  it('a batch is read part by part, and the client gets of it what is for the client', async () => {
    const { transport, story, seen } = tapped();
    const batch = [call(1), call(2, { progressToken: 'mine' })];
    await transport.send(batch as never);
    const [own] = (transport.sent[0] as unknown as Message[]).map(tokenOf);
    const whole = [progress('mine', 1), result(2)];
    transport.deliver(whole as never);
    transport.deliver([progress(own, 3), null, progress(own, 4), result(1)] as never);
    transport.deliver([progress(own, 5)] as never);
    assert.deepEqual(story(), [['running'], ['running'], [1], ['completed'], [3], [4], ['completed']]);
    assert.equal(seen[0], whole as never);
    assert.deepEqual(seen.slice(1), [[null, result(1)]]);
  });

  it('two taps on one transport see the same, and one may go while the other stays', async () => {
    const { transport, story, tap, seen } = tapped();
    const sink = createMemorySink();
    const other = tapMcpTransport(transport, { sink, session: 's', throttleMs: 0 });
    await transport.send(call(1));
    transport.deliver(progress(tokenOf(transport.sent[0]), 1), result(1));
    assert.deepEqual(story(), [['running'], [1], ['completed']]);
    assert.deepEqual(
      (sink.events as OperationEvent[]).map(({ state, current }) => state ?? current),
      ['running', 1, 'completed'],
    );
    tap.detach();
    await transport.send(call(2));
    transport.deliver(progress(tokenOf(transport.sent[1]), 1), result(2));
    assert.deepEqual([story().length, sink.events.length, other.counts.calls, seen.length], [3, 6, 2, 2]);
  });

  it('a call that became a task goes on until the task ends', async () => {
    const { transport, events } = tapped();
    await transport.send(call(1));
    const token = tokenOf(transport.sent[0]);
    const status = (word: string, more = {}): Message => ({
      jsonrpc: '2.0',
      method: 'notifications/tasks/status',
      params: { taskId: 't', status: word, ...more },
    });
    transport.deliver(
      { jsonrpc: '2.0', id: 1, result: { task: { taskId: 't', status: 'working' } } },
      progress(token, 1, { total: 2 }),
      status('input_required', { statusMessage: 'Which branch?' }),
      status('working'),
      status('brand_new'),
    );
    await transport.send({ jsonrpc: '2.0', id: 2, method: 'tasks/result', params: { taskId: 't' } });
    transport.deliver(result(2, { isError: true, content: [{ type: 'text', text: 'conflict' }] }), status('completed'));
    assert.deepEqual(
      events.map(({ state, current, reason }) => [state, current, reason]),
      [
        ['running', undefined, undefined],
        [undefined, undefined, undefined],
        [undefined, 1, undefined],
        ['blocked', undefined, undefined],
        ['running', undefined, undefined],
        ['failed', undefined, 'tool_error'],
      ],
    );
  });

  for (const [word, state] of [
    ['completed', 'completed'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
  ] as const) {
    it(`a task that a poll finds ${word} ends as ${state}`, async () => {
      const { transport, events, tap } = tapped();
      await transport.send(call(1));
      transport.deliver({ jsonrpc: '2.0', id: 1, result: { resultType: 'task', taskId: 't', status: 'working' } });
      await transport.send({ jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { taskId: 't' } });
      transport.deliver({ jsonrpc: '2.0', id: 2, result: { taskId: 't', status: word } });
      assert.deepEqual([events.at(-1)?.state, tap.counts.open], [state, 0]);
    });
  }
});

describe('what the tap drops', () => {
  for (const [name, message] of [
    ['a token nobody issued', progress('tool-call-4', 1)],
    ['the number for a text token', progress(7, 1)],
  ] as const) {
    it(`progress for ${name}: counted, told, and passed on`, async () => {
      const { transport, tap, seen, events, diagnostics } = tapped();
      await transport.send(call(1, { progressToken: '7' }));
      transport.deliver(message);
      assert.deepEqual([tap.counts.unknownToken, diagnostics[0]?.code, seen.length, events.length], [1, 'unknown_token', 1, 1]);
    });
  }

  for (const [name, message] of [
    ['no token', progress(undefined, 1)],
    ['a null token', progress(null, 1)],
    ['a text amount', progress('t', '5')],
    ['no amount', progress('t', undefined)],
    ['an amount that is not finite', progress('t', Number.NaN)],
    ['no params', { jsonrpc: '2.0', method: 'notifications/progress' }],
  ] as const) {
    it(`progress with ${name}: counted as invalid, passed on, and the next is read`, async () => {
      const { transport, tap, seen, story } = tapped();
      await transport.send(call(1, { progressToken: 't' }));
      transport.deliver(message as Message, progress('t', 2));
      assert.deepEqual([tap.counts.invalid, seen.length], [1, 2]);
      assert.deepEqual(story(), [['running'], [2]]);
    });
  }

  it('messages of any shape pass unharmed in both directions', async () => {
    const { transport, seen } = tapped();
    const odd = [
      null,
      7,
      'text',
      [],
      {},
      { id: {} },
      { method: 7 },
      { id: 1, result: null },
      { method: 'tools/call', id: 1 },
      { method: 'notifications/cancelled' },
      { id: 5, error: null },
    ] as unknown as Message[];
    transport.deliver(...odd);
    for (const message of odd) await transport.send(message);
    assert.deepEqual([seen, transport.sent], [odd, odd]);
  });
});

describe('the tap is transparent', () => {
  it('whether the handler is set before or after, replaced, removed, or read back', () => {
    const sink = createMemorySink();
    const transport = new ScriptedTransport();
    const seen: string[] = [];
    transport.onmessage = () => void seen.push('before');
    const tap = tapMcpTransport(transport, { sink, session: 's' });
    assert.equal(tap.transport, transport);
    transport.deliver({});
    transport.onmessage = () => void seen.push('after');
    transport.deliver({});
    const readBack = transport.onmessage;
    transport.onmessage = undefined;
    assert.equal(transport.onmessage, undefined);
    transport.deliver({});
    transport.onmessage = readBack;
    transport.deliver({});
    assert.deepEqual(seen, ['before', 'after', 'after']);
  });

  it('observes a message once though a client chains the handler it found', async () => {
    const { transport, tap } = tapped();
    const found = transport.onmessage;
    const order: string[] = [];
    transport.onmessage = (message, extra) => {
      found?.(message, extra);
      order.push('client');
    };
    await transport.send(call(1, { progressToken: 1 }));
    transport.deliver(progress(1, 1));
    assert.deepEqual([tap.counts.progress, order.length], [1, 1]);
  });

  it('gives handlers the same this, arguments and exceptions', () => {
    const { transport } = tapped();
    let received: unknown[] = [];
    const extra = { authInfo: {} };
    transport.onmessage = function (this: unknown, ...args: unknown[]) {
      received = [this, ...args];
      throw new Error('from the client');
    };
    const message = progress(9, 1);
    assert.throws(() => transport.onmessage?.(message, extra), /from the client/);
    assert.deepEqual([received[0] === transport, received[1] === message, received[2] === extra], [true, true, true]);
  });

  it('when a hook of the host throws', async () => {
    const broken = (): never => {
      throw new Error('host');
    };
    const { transport, seen, story } = tapped(undefined, { reporterFor: broken, onProgress: broken, onDiagnostic: broken });
    await transport.send(call(1));
    transport.deliver(progress(tokenOf(transport.sent[0]), 1), result(1));
    assert.equal(seen.length, 1);
    assert.deepEqual(story(), [['running'], [1], ['completed']]);
  });

  it('works on a transport whose handlers are accessors of its class', async () => {
    class Accessor {
      #handler: ((message: Message) => void) | undefined;
      sent: Message[] = [];
      get onmessage() {
        return this.#handler;
      }
      set onmessage(handler) {
        this.#handler = handler;
      }
      send(message: Message): Promise<void> {
        this.sent.push(message);
        return Promise.resolve();
      }
      close(): Promise<void> {
        return Promise.resolve();
      }
      arrive(message: Message): void {
        this.#handler?.(message);
      }
    }
    const transport = new Accessor();
    const tap = tapMcpTransport(transport, { sink: createMemorySink(), session: 's' });
    const seen: Message[] = [];
    transport.onmessage = (message) => seen.push(message);
    await transport.send(call(1, { progressToken: 1 }));
    transport.arrive(progress(1, 1));
    assert.deepEqual([seen.length, tap.counts.progress], [1, 1]);
  });

  it('and says clearly when it cannot be', () => {
    const options = { sink: createMemorySink(), session: 's' };
    assert.throws(() => tapMcpTransport({} as ScriptedTransport, options), /no send\(\) to tap/);
    assert.throws(() => tapMcpTransport(Object.freeze(new ScriptedTransport()), options), /frozen/);
  });

  it('after detach, with what was open interrupted', async () => {
    const { transport, tap, events, seen } = tapped();
    await transport.send(call(1));
    const own = tokenOf(transport.sent[0]);
    tap.detach();
    const request = call(2);
    await transport.send(request);
    assert.equal(transport.sent[1], request);
    transport.deliver(progress(own, 1), result(2));
    assert.deepEqual(
      events.map(({ state, reason }) => [state, reason]),
      [
        ['running', undefined],
        ['interrupted', 'detached'],
      ],
    );
    assert.equal(seen.length, 1);
  });
});

describe('with the client of the SDK', () => {
  const asTransport = (transport: ScriptedTransport): Transport => transport as unknown as Transport;

  function scripted(answer: (request: Message, transport: ScriptedTransport) => void) {
    return tapped((message, transport) => {
      if (!handshake(message, transport) && message.method === 'tools/call') answer(message, transport);
    });
  }

  it('loses no progress that comes in one read with the response, where its own onprogress sees none', async () => {
    const { transport, tap, story, events } = scripted((request, self) => {
      const token = tokenOf(request);
      queueMicrotask(() =>
        self.deliver(
          progress(token, 1, { total: 3 }),
          progress(token, 2, { total: 3 }),
          progress(token, 3, { total: 3 }),
          result(request.id as number),
        ),
      );
    });
    const client = new Client({ name: 'test', version: '1' });
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    await client.connect(asTransport(transport));
    const own: unknown[] = [];
    await client.callTool({ name: 'scan' }, undefined, { onprogress: (update) => own.push(update) });
    await settle();
    assert.equal(tap.counts.progress, 3);
    assert.deepEqual(story(), [['running'], [1, 3], [2, 3], [3, 3], ['completed']]);
    assert.equal(events[0]?.tool?.server, 'scripted');
    // The reason for the tap. Should the SDK mend this, the two lines below may go.
    assert.equal(own.length, 0);
    assert.equal(errors.length, 3);
  });

  it('causes no errors in a client that did not ask for progress', async () => {
    const { transport, tap } = scripted((request, self) =>
      self.deliver(progress(tokenOf(request), 1), result(request.id as number), progress(tokenOf(request), 2)),
    );
    const client = new Client({ name: 'test', version: '1' });
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    await client.connect(asTransport(transport));
    await client.callTool({ name: 'scan' });
    await settle();
    assert.deepEqual([errors, tap.counts.progress, tap.counts.retiredToken], [[], 1, 1]);
  });

  it('reports an abort as cancelled, and a timeout too', async () => {
    for (const options of [() => ({ signal: AbortSignal.timeout(5) }), () => ({ timeout: 5 })]) {
      const { transport, events } = scripted(() => {});
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(asTransport(transport));
      await assert.rejects(client.callTool({ name: 'scan' }, undefined, options()));
      assert.equal(events.at(-1)?.state, 'cancelled');
    }
  });

  it('leaves to the client the progress that keeps its call alive, and its ceiling', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    for (const [reports, ending] of [
      [4, 'completed'],
      [9, 'cancelled'],
    ] as const) {
      const { transport, events } = scripted(() => {});
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(asTransport(transport));
      const heard: number[] = [];
      const outcome = client
        .callTool({ name: 'scan' }, undefined, {
          onprogress: (update) => heard.push(update.progress),
          timeout: 60_000,
          resetTimeoutOnProgress: true,
          maxTotalTimeout: 250_000,
        })
        .then(
          () => 'completed',
          () => 'cancelled',
        );
      await settle();
      const request = transport.sent.find(({ method }) => method === 'tools/call');
      for (let amount = 1; amount <= reports; amount += 1) {
        t.mock.timers.tick(40_000);
        transport.deliver(progress(tokenOf(request), amount));
        await settle();
      }
      transport.deliver(result(request?.id as number));
      assert.equal(await outcome, ending);
      assert.equal(events.at(-1)?.state, ending);
      assert.deepEqual(heard.slice(0, 4), [1, 2, 3, 4]);
      await client.close();
    }
  });

  it('taps after connecting as well as before, and on a pair in memory', async () => {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    serverSide.onmessage = (message) => {
      const request = message as unknown as Message;
      if (request.method === 'initialize') {
        void serverSide.send({
          jsonrpc: '2.0',
          id: request.id as number,
          result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'pair', version: '1' } },
        });
      }
      if (request.method === 'tools/call') {
        void serverSide.send(progress(tokenOf(request), 1, { total: 1 }) as never);
        void serverSide.send(result(request.id as number) as never);
      }
    };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(clientSide);
    const sink = createMemorySink();
    const tap = tapMcpTransport(clientSide, { sink, session: 's', throttleMs: 0 });
    await client.callTool({ name: 'scan' });
    assert.deepEqual([tap.counts.progress, sink.events.length], [1, 3]);
    await client.close();
  });
});
