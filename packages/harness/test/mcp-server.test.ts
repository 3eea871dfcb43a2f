import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { wrapMcpTool } from '@sitrep/harness/mcp-server';
import type { McpToolOptions } from '@sitrep/harness/mcp-server';
import { tapMcpTransport } from '@sitrep/harness/mcp';
import { createMemorySink } from '@sitrep/harness/sink';
import { currentReporter } from '@sitrep/harness/reporter';
import type { Diagnostic } from '@sitrep/harness';
import type { Reporter } from '@sitrep/harness/reporter';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { OperationEvent } from '@sitrep/schema/wire';
import { ManualClock } from './support/manual-clock.ts';
import { call, ScriptedTransport, tokenOf } from './support/scripted-transport.ts';
import type { Message } from './support/scripted-transport.ts';
import { tapped } from './support/tapped.ts';

interface Sent {
  readonly method: string;
  readonly params: Record<string, unknown> & { readonly progress: number };
}

/** The last argument of a handler, as each generation of the SDK makes it, and what is sent through it. */
function served(generation: 1 | 2, token: unknown, fail?: 'throws' | 'rejects', heard: (each: Sent) => void = () => {}) {
  const sent: Sent[] = [];
  const abort = new AbortController();
  const notify = (notification: Sent): Promise<void> => {
    if (fail === 'throws') throw new Error('Not connected');
    if (fail === 'rejects') return Promise.reject(new Error('Not connected'));
    sent.push(notification);
    heard(notification);
    return Promise.resolve();
  };
  const meta = token === undefined ? { trace: 'abc' } : { trace: 'abc', progressToken: token };
  const { signal } = abort;
  const extra =
    generation === 1
      ? { requestId: 3, _meta: meta, signal, sessionId: 'http-1', sendNotification: notify }
      : { sessionId: 'http-1', mcpReq: { id: 3, method: 'tools/call', _meta: meta, signal, notify } };
  return { sent, extra, abort };
}

const seen = (sent: readonly Sent[]): unknown[] =>
  sent.map(({ params: { progress, total, message } }) => [progress, total, message].filter((each) => each !== undefined));
const eventsOf = (sent: readonly Sent[]): OperationEvent[] =>
  sent.map(({ params }) => (params['_meta'] as Record<string, OperationEvent>)['sitrep/event'] as OperationEvent);

/** Runs a tool once and answers what its caller heard. */
async function run(
  tool: (reporter: Reporter, abort: AbortController) => unknown,
  how: { generation?: 1 | 2; token?: unknown; options?: McpToolOptions; fail?: 'throws' | 'rejects' } = {},
) {
  const { generation = 1, options = {}, fail } = how;
  const { sent, extra, abort } = served(generation, 'token' in how ? how.token : 'tok', fail);
  const diagnostics: Diagnostic[] = [];
  const given =
    typeof options === 'function' ? options : { throttleMs: 0, onDiagnostic: (each: Diagnostic) => diagnostics.push(each), ...options };
  const handler = wrapMcpTool((_args: unknown, _extra: unknown, reporter: Reporter) => tool(reporter, abort), given);
  const outcome = await handler({ path: '/' }, extra).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  return { sent, outcome, diagnostics };
}

for (const generation of [1, 2] as const) {
  describe(`a handler in the shape of SDK ${generation}`, () => {
    it('tells its caller each update under the caller’s own token, with the whole event beside it', async () => {
      for (const token of [0, 7, '7', '', 'tok', -1]) {
        const { sent } = await run(
          (reporter) => {
            reporter.update({ current: 1, total: 4, unit: 'files', message: 'a.txt' });
            reporter.block({ kind: 'permission', prompt: 'Overwrite?' }, { current: 2 });
          },
          { generation, token, options: { title: 'Copy', throttleMs: 0 } },
        );
        assert.deepEqual(
          sent.map(({ method, params }) => [method, params['progressToken']]),
          [1, 2].map(() => ['notifications/progress', token]),
        );
        assert.deepEqual(seen(sent), [
          [1, 4, 'a.txt'],
          [2, 4, 'a.txt'],
        ]);
        const [first, second] = eventsOf(sent);
        assert.deepEqual([first?.title, first?.state, first?.unit, first?.seq], ['Copy', 'running', 'files', 2]);
        assert.deepEqual([second?.state, second?.blockedOn], ['blocked', { kind: 'permission', prompt: 'Overwrite?' }]);
      }
    });

    it('sends nothing without a token, and reports to the host’s own sink all the same', async () => {
      for (const token of [undefined, null, {}, Number.NaN]) {
        const sink = createMemorySink();
        const { sent } = await run((reporter) => reporter.update({ current: 1 }), { generation, token, options: { sink, throttleMs: 0 } });
        assert.deepEqual(sent, []);
        assert.deepEqual(
          (sink.events as OperationEvent[]).map(({ session, state, current }) => [session, state ?? current]),
          [
            ['http-1', 'running'],
            ['http-1', 1],
            ['http-1', 'completed'],
          ],
        );
      }
    });

    it('ends as cancelled when its caller cancels, and says nothing more to it', async () => {
      const sink = createMemorySink();
      const { sent, outcome } = await run(
        async (reporter, abort) => {
          reporter.update({ current: 1 });
          abort.abort('user pressed stop');
          reporter.update({ current: 2 });
          await Promise.resolve();
          return 'made it anyway';
        },
        { generation, options: { sink, throttleMs: 0 } },
      );
      assert.deepEqual(seen(sent), [[1]]);
      const end = sink.events.at(-1) as OperationEvent;
      assert.deepEqual([end.state, end.reason, sink.events.length], ['cancelled', 'user pressed stop', 3]);
      assert.deepEqual(outcome, { result: 'made it anyway' });
    });
  });
}

describe('a tool that reports nothing', () => {
  for (const [name, tool] of [
    ['answers', () => ({ content: [] })],
    ['answers with an error', () => ({ content: [], isError: true })],
    ['asks for input', () => ({ resultType: 'input_required', inputRequests: {} })],
    ['throws', () => Promise.reject(new Error('broke'))],
  ] as const) {
    it(`causes no notification when it ${name}`, async () => {
      assert.deepEqual((await run(tool, { options: { title: 'Copy' } })).sent, []);
    });
  }
});

describe('what a caller sees', () => {
  it('rises with every notification, whatever the tool reports', async () => {
    const { sent } = await run((reporter) => {
      for (const current of [3, 3, 1, 4, 1e17, 1e17, -5]) reporter.update({ current, total: 10 });
    });
    const values = sent.map(({ params }) => params.progress);
    assert.deepEqual(values.slice(0, 5), [3, 3.000001, 3.000002, 4, 1e17]);
    assert.ok(values.every((value, index) => index === 0 || value > (values[index - 1] as number)));
    assert.deepEqual(
      eventsOf(sent).map(({ current }) => current),
      [3, 3, 1, 4, 1e17, 1e17, -5],
    );
  });

  it('is never more of a total than was done of it', async () => {
    const { sent } = await run((reporter) => {
      reporter.update({ current: 90, total: 100 });
      reporter.update({ current: 1, total: 5 });
      reporter.update({ current: 95, total: 100 });
      reporter.update({ current: 7, total: 5 });
    });
    assert.deepEqual(seen(sent), [[90, 100], [90.000001], [95, 100], [95.000001]]);
    assert.deepEqual(
      eventsOf(sent).map(({ current, total }) => [current, total]),
      [
        [90, 100],
        [1, 5],
        [95, 100],
        [7, 5],
      ],
    );
  });

  it('rises for any reports, and each event comes back from the notification as it was', () => {
    const amount = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, min: -1e300, max: 1e300 }));
    const patch = fc.record(
      { current: amount, fraction: fc.double({ min: 0, max: 1, noNaN: true }), message: fc.string() },
      { requiredKeys: [] },
    );
    return fc.assert(
      fc.asyncProperty(fc.array(patch, { minLength: 1, maxLength: 12 }), async (patches) => {
        const sink = createMemorySink();
        const { sent } = await run(
          (reporter) => {
            for (const each of patches) reporter.update(each);
          },
          { options: { sink, throttleMs: 0 } },
        );
        const values = sent.map(({ params }) => params.progress);
        assert.ok(values.every((value, index) => Number.isFinite(value) && (index === 0 || value > (values[index - 1] as number))));
        const { transport, events } = tapped();
        await transport.send(call(1, { progressToken: 'tok' }));
        for (const each of sent) transport.deliver(JSON.parse(JSON.stringify(each)) as Message);
        const amounts = (list: readonly OperationEvent[]): unknown[] => {
          const index = new SessionIndex('x');
          for (const event of list) index.apply({ ...event, session: 'x', id: 1 });
          const [record] = index.operations.values();
          return [record?.current, record?.fraction, record?.message].map((each) => (each === 0 ? 0 : each));
        };
        assert.deepEqual(amounts(events), amounts(sink.events.slice(0, -1) as OperationEvent[]));
      }),
      { numRuns: 60 },
    );
  });

  it('is no amount when there is none: words come with a value that only says that something was said', async () => {
    const { sent } = await run((reporter) => {
      reporter.update({ message: 'Resolving' });
      reporter.update({ message: 'Generating' });
      reporter.update({ fraction: 0.25 });
    });
    assert.deepEqual(seen(sent), [
      [0, 'Resolving'],
      [0.000001, 'Generating'],
      [0.25, 1, 'Generating'],
    ]);
  });

  it('is throttled, and the newest goes out before the answer', async () => {
    const clock = new ManualClock();
    const { sent } = await run(
      (reporter) => {
        for (let current = 1; current <= 50; current += 1) reporter.update({ current, total: 50 });
      },
      { options: { clock, throttleMs: 100 } },
    );
    assert.deepEqual(seen(sent), [
      [1, 50],
      [50, 50],
    ]);
    assert.deepEqual(clock.pending, []);
  });

  it('of an end is what the response has no word for, before the response', async () => {
    for (const [end, expected] of [
      [(reporter: Reporter) => reporter.deny('policy'), ['denied', 'policy']],
      [(reporter: Reporter) => reporter.cancel('enough'), ['cancelled', 'enough']],
      [(reporter: Reporter) => reporter.fail(new Error('Disk full')), ['failed', undefined]],
      [(reporter: Reporter) => reporter.complete({ current: 7 }), ['completed', undefined]],
      [(reporter: Reporter) => reporter.complete(), undefined],
    ] as const) {
      const { sent } = await run((reporter) => {
        end(reporter);
        reporter.update({ current: 99 });
      });
      const last = eventsOf(sent).at(-1);
      assert.deepEqual(last === undefined ? undefined : [last.state, last.reason], expected);
      assert.ok(sent.length <= 1);
    }
  });

  it('of a second attempt goes on after the end of the first, and the last end counts', async () => {
    const { sent } = await run((reporter) => {
      reporter.update({ current: 3, total: 4 });
      reporter.fail(new Error('try again'));
      const again = reporter.retry();
      again.update({ current: 1, total: 4 });
      again.complete();
    });
    assert.deepEqual(
      eventsOf(sent).map(({ attempt, state, current }) => [attempt, state, current]),
      [
        [1, 'running', 3],
        [1, 'failed', undefined],
        [2, 'running', undefined],
        [2, undefined, 1],
      ],
    );
    const { transport, events } = tapped();
    await transport.send(call(1, { progressToken: 'tok' }));
    for (const each of sent) transport.deliver(each as unknown as Message);
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { content: [] } });
    assert.deepEqual([events.at(-1)?.state, events.at(-2)?.current], ['completed', 1]);
  });

  it('of what happens inside the call are its own numbers, with each inner event beside them', async () => {
    const { sent } = await run((reporter) => {
      reporter.update({ current: 1, total: 3 });
      const inner = reporter.child({ title: 'Inner' });
      const innermost = inner.child({ title: 'Innermost' });
      innermost.update({ current: 500, total: 1000 });
      innermost.deny('policy');
      inner.complete();
    });
    assert.deepEqual(
      sent.map(({ params }) => params['total']),
      sent.map(() => 3),
    );
    assert.ok(sent.every(({ params }) => params.progress < 1.001));
    const { transport, events } = tapped();
    await transport.send(call(1, { progressToken: 'tok' }));
    for (const each of sent) transport.deliver(each as unknown as Message);
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { content: [] } });
    const index = new SessionIndex('s');
    for (const event of events) index.apply(event);
    const records = [...index.operations.values()];
    assert.deepEqual(
      records.map(({ title, state, current, parent }) => [title, state, current, records.findIndex(({ id }) => id === parent)]),
      [
        ['scan', 'completed', 1, -1],
        ['Inner', 'completed', undefined, 0],
        ['Innermost', 'denied', 500, 1],
      ],
    );
  });
});

describe('result and control flow of a wrapped handler', () => {
  it('are what they were: the same result object, the same error, the same arguments', async () => {
    const result = { content: [{ type: 'text', text: 'done' }] };
    assert.deepEqual((await run(() => result)).outcome, { result });
    const error = new Error('broke');
    assert.equal(((await run(() => Promise.reject(error))).outcome as { error: Error }).error, error);
    const thrown = (
      await run(() => {
        throw error;
      })
    ).outcome as { error: Error };
    assert.equal(thrown.error, error);
    const { extra } = served(1, 1);
    const args = { path: '/' };
    const got: unknown[] = [];
    await wrapMcpTool((...params: [unknown, unknown, Reporter]) => got.push(...params))(args, extra);
    assert.deepEqual([got[0] === args, got[1] === extra, typeof (got[2] as Reporter).update], [true, true, 'function']);
    await wrapMcpTool((only: unknown, reporter: Reporter) => got.push(only, reporter.session))(extra);
    assert.deepEqual(got.slice(-2), [extra, 'http-1']);
  });

  for (const fail of ['throws', 'rejects'] as const) {
    it(`are not touched by a connection that ${fail}`, async () => {
      const { outcome, diagnostics } = await run(
        async (reporter) => {
          reporter.update({ current: 1 });
          await new Promise((resolve) => setImmediate(resolve));
          return 'fine';
        },
        { fail },
      );
      assert.deepEqual(outcome, { result: 'fine' });
      assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ['notify_failed'],
      );
    });
  }

  it('are not touched by a sink or by options that throw, and the caller hears of the progress all the same', async () => {
    const broken = {
      send: (): never => {
        throw new Error('sink');
      },
      flush: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const { sent, outcome } = await run(
      (reporter) => {
        reporter.update({ current: 1 });
        return 'fine';
      },
      { options: { sink: broken, throttleMs: 0 } },
    );
    assert.deepEqual([seen(sent), outcome], [[[1]], { result: 'fine' }]);
    const odd = await run(() => 'fine', {
      options: () => {
        throw new Error('options');
      },
    });
    assert.deepEqual(odd.outcome, { result: 'fine' });
  });

  it('are not touched by options that are none, or a result that cannot be read', async () => {
    const unreadable = Object.defineProperty({}, 'resultType', {
      get() {
        throw new Error('unreadable');
      },
    });
    for (const options of [null, undefined, () => undefined, () => null] as unknown as McpToolOptions[]) {
      const { extra } = served(2, 'tok');
      const handler = wrapMcpTool((_extra: unknown, reporter: Reporter) => (reporter.update({ current: 1 }), unreadable), options);
      assert.equal(await handler(extra), unreadable);
    }
  });

  it('are not touched by a last argument of another shape', async () => {
    for (const extra of [
      undefined,
      null,
      7,
      {},
      { mcpReq: null },
      { _meta: { progressToken: 1 } },
      { sendNotification: 1, _meta: { progressToken: 1 } },
    ]) {
      const handler = wrapMcpTool((_extra: unknown, reporter: Reporter) => reporter.update({ current: 1 }));
      assert.equal(await handler(extra), 'sent');
    }
  });
});

describe('how a served call ends for the host’s own sink', () => {
  const told = async (tool: (reporter: Reporter) => unknown, options: Record<string, unknown> = {}): Promise<unknown[]> => {
    const sink = createMemorySink();
    await run((reporter) => tool(reporter), { options: { sink, throttleMs: 0, ...options } });
    const end = sink.events.at(-1) as OperationEvent;
    return [end.state, end.reason, end.error?.message ?? end.blockedOn?.prompt].filter((each) => each !== undefined);
  };

  it('is by its result, its error, or what the tool itself has said', async () => {
    const asks = { resultType: 'input_required', inputRequests: { a: { method: 'elicitation/create', params: { message: 'Who?' } } } };
    assert.deepEqual(await told(() => ({ content: [] })), ['completed']);
    assert.deepEqual(await told(() => ({ isError: true, content: [{ type: 'text', text: 'No such file' }] })), [
      'failed',
      'tool_error',
      'No such file',
    ]);
    assert.deepEqual(await told(() => Promise.reject(new Error('broke'))), ['failed', 'broke']);
    assert.deepEqual(await told((reporter) => reporter.deny('policy')), ['denied', 'policy']);
    assert.deepEqual(await told(() => asks), ['interrupted', 'input_required']);
    assert.deepEqual(await told(() => asks, { id: 'op-1' }), ['blocked', 'Who?']);
  });

  it('is under the id, session and run the host gives each call', async () => {
    const sink = createMemorySink();
    await run(() => currentReporter()?.update({ current: 1 }), {
      options: ({ requestId, sessionId, meta }) => ({
        sink,
        id: `call-${requestId}`,
        session: `chat-${sessionId}`,
        run: String(meta['trace']),
      }),
    });
    for (const { session, id, run: each } of sink.events as OperationEvent[])
      assert.deepEqual([session, id, each], ['chat-http-1', 'call-3', 'abc']);
    assert.equal(sink.events.length, 3);
  });
});

describe('a wrapped handler and a tap at the two ends of one connection', () => {
  it('show the same, every state and every end', async () => {
    const ends: Record<string, (reporter: Reporter) => unknown> = {
      completed: () => ({ content: [] }),
      failed: () => ({ isError: true, content: [{ type: 'text', text: 'No' }] }),
      denied: (reporter) => reporter.deny('policy') && { content: [] },
      cancelled: (reporter) => reporter.cancel('enough') && { content: [] },
      interrupted: (reporter) => reporter.interrupt('lost') && { content: [] },
    };
    for (const [state, end] of Object.entries(ends)) {
      const there = createMemorySink();
      const handler = wrapMcpTool(
        (_args: unknown, _extra: unknown, reporter: Reporter) => {
          reporter.update({ current: 1, total: 4, unit: 'files' });
          reporter.wait('the lock');
          reporter.block({ kind: 'auth', prompt: 'Sign in' });
          reporter.update({ state: 'paused' });
          reporter.resume({ current: 2 });
          return end(reporter);
        },
        { sink: there, throttleMs: 0 },
      );
      const transport = new ScriptedTransport();
      transport.script = async (message, self) => {
        const { extra } = served(2, tokenOf(message), undefined, (each) => self.deliver(each as unknown as Message));
        self.deliver({ jsonrpc: '2.0', id: message.id ?? 0, result: (await handler({}, extra)) as object });
      };
      const here = createMemorySink();
      tapMcpTransport(transport, { sink: here, session: 's', throttleMs: 0 });
      transport.onmessage = () => {};
      await transport.send(call(1));
      const story = (events: readonly unknown[]): unknown[] =>
        (events as OperationEvent[]).map((event) => [
          event.state,
          event.current,
          event.reason,
          event.waitingOn,
          event.blockedOn,
          event.error?.message,
        ]);
      // The first thing said goes out with the beginning of the call, which the tap has made its own already.
      assert.deepEqual(story(here.events), story(there.events), state);
      assert.equal((here.events.at(-1) as OperationEvent).state, state);
    }
  });

  it('lead to the same record, whatever the tool reports and however it ends', async () => {
    const text = fc.constantFrom('Uploading', 'a.txt', '👩‍👩‍👧', '');
    const patch = fc.record(
      {
        title: text,
        activeTitle: text,
        message: fc.oneof(text, fc.constant(null)),
        current: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constant(null)),
        total: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(null)),
        fraction: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(null)),
        unit: fc.constantFrom('files', 'bytes'),
        usage: fc.constantFrom({ tokens: 5 }, { label: '5 tok' }),
        cancellable: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const live = fc.tuple(fc.constantFrom('update', 'wait', 'block', 'pause', 'resume'), patch);
    const end = fc.tuple(fc.constantFrom('complete', 'fail', 'cancel', 'deny', 'interrupt', 'result', 'error'), patch);
    const seenKeys = new Set<string>();
    const record = (events: readonly unknown[]): unknown => {
      const index = new SessionIndex('x');
      for (const event of events as OperationEvent[]) index.apply({ ...event, session: 'x', id: 1, seq: undefined as never, at: 1 });
      const [operation] = index.operations.values();
      const { kind: _, tool: __, native: ___, updatedAt: ____, seq: _____, ...rest } = operation ?? { kind: '' };
      return rest;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(live, { maxLength: 8 }), end, async (moves, [ending, last]) => {
        const there = createMemorySink();
        const here = createMemorySink();
        const transport = new ScriptedTransport();
        const handler = wrapMcpTool(
          (_args: unknown, _extra: unknown, reporter: Reporter) => {
            for (const [move, each] of moves) {
              if (move === 'update') reporter.update(each);
              else if (move === 'wait') reporter.wait({ text: 'the lock' }, each);
              else if (move === 'block') reporter.block({ kind: 'auth', prompt: 'Sign in', requestId: 'r' }, each);
              else if (move === 'pause') reporter.update({ ...each, state: 'paused' });
              else reporter.resume(each);
            }
            if (ending === 'complete') reporter.complete(last);
            else if (ending === 'fail') reporter.fail(new Error('Disk full'), { ...last, reason: 'disk' });
            else if (ending === 'cancel') reporter.cancel('enough', last);
            else if (ending === 'deny') reporter.deny('policy', last);
            else if (ending === 'interrupt') reporter.interrupt('lost', last);
            return ending === 'error' ? { isError: true, content: [{ type: 'text', text: 'No such file' }] } : { content: [] };
          },
          { sink: there, throttleMs: 0, title: 'scan' },
        );
        transport.script = async (message, self) => {
          const { extra } = served(1, tokenOf(message), undefined, (each) => self.deliver(JSON.parse(JSON.stringify(each)) as Message));
          self.deliver({ jsonrpc: '2.0', id: message.id ?? 0, result: (await handler({}, extra)) as object });
        };
        tapMcpTransport(transport, { sink: here, session: 's', throttleMs: 0 });
        transport.onmessage = () => {};
        await transport.send(call(1));
        const expected = record(there.events) as { state: string; current?: number; title?: string };
        assert.deepEqual(record(here.events), expected);
        assert.ok(['completed', 'failed', 'cancelled', 'denied', 'interrupted'].includes(expected.state));
        for (const key of ['title', 'current'] as const) if (expected[key] !== undefined) seenKeys.add(key);
      }),
      { numRuns: 300 },
    );
    assert.deepEqual([...seenKeys].sort(), ['current', 'title']);
  });
});
