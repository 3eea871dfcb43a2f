import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createReporter, currentReporter } from '@sitrep/harness';
import { createMessageSink, reportDenied, reporterOf, wrapToolSet } from '@sitrep/harness/ai-sdk';
import type { MessageSinkOptions } from '@sitrep/harness/ai-sdk';
import { createMemorySink } from '@sitrep/harness/sink';
import type { OperationEvent } from '@sitrep/schema';

const call = { toolCallId: 'call-1', messages: [] };
const states = (events: readonly unknown[]): unknown[] => (events as OperationEvent[]).map(({ id, state }) => [id, state]);

/** The asking of one tool, as the SDK does it. */
function ask(tool: object, options: object): unknown {
  return (tool as { needsApproval: (input: unknown, options: object) => unknown }).needsApproval({}, options);
}

describe('a set of tools', () => {
  it('keeps its names, its other members and the tools somebody else runs', () => {
    const client = { description: 'run by the client' };
    const native = { description: 'run here', inputSchema: {}, execute: () => 1, strict: true };
    const sink = createMemorySink();
    const tools = wrapToolSet({ client, native }, { sink, session: 's' });
    assert.equal(tools.client, client);
    assert.deepEqual({ ...tools.native, execute: undefined }, { ...native, execute: undefined });
    assert.equal('needsApproval' in tools.native, false);
    assert.deepEqual(sink.events, []);
  });
  it('hands the same two arguments on, on the tool, and finds the reporter by the second', () => {
    const seen: unknown[] = [];
    const tool = {
      execute(this: unknown, ...args: readonly unknown[]) {
        seen.push(this, ...args, reporterOf(call), currentReporter());
        return 'as it is';
      },
    };
    const tools = wrapToolSet({ tool }, { sink: createMemorySink(), session: 's' });
    assert.equal(tools.tool.execute('input', call), 'as it is');
    assert.equal(seen[0], tool);
    assert.deepEqual(seen.slice(1, 3), ['input', call]);
    assert.equal(seen[3], seen[4]);
    assert.equal(reporterOf({}), undefined);
  });
  it('throws at once what a tool throws at once, and reports it', () => {
    const sink = createMemorySink();
    const error = new Error('no');
    const tools = wrapToolSet(
      {
        bad: {
          execute: (_input: unknown, _options: object) => {
            throw error;
          },
        },
      },
      { sink, session: 's' },
    );
    assert.throws(() => tools.bad.execute({}, call), error);
    assert.deepEqual(states(sink.events), [
      ['call-1', 'running'],
      ['call-1', 'failed'],
    ]);
  });
});

describe('a call that needs an approval', () => {
  it('is blocked while nobody answered, whichever way the tool says that it needs one', async () => {
    for (const needsApproval of [true, () => true, async () => true]) {
      const sink = createMemorySink();
      const { tool } = wrapToolSet({ tool: { needsApproval, execute: () => 'ran' } }, { sink, session: 's' });
      assert.equal(await ask(tool, call), true);
      assert.deepEqual(states(sink.events), [['call-1', 'blocked']]);
    }
  });
  it('is not when the tool says that it needs none, or a person answered', async () => {
    const sink = createMemorySink();
    const tools = wrapToolSet(
      { no: { needsApproval: async () => false, execute: () => 1 }, never: { needsApproval: false, execute: () => 1 } },
      { sink, session: 's' },
    );
    assert.equal(await ask(tools.no, call), false);
    assert.equal(tools.never.needsApproval, false);
    const { tool } = wrapToolSet({ tool: { needsApproval: true, execute: () => 1 } }, { sink, session: 's' });
    const messages = [
      { role: 'assistant', content: [{ type: 'tool-approval-request', approvalId: 'q', toolCallId: 'call-1' }] },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'q', approved: true }] },
    ];
    assert.equal(ask(tool, { ...call, messages }), true);
    assert.deepEqual(sink.events, []);
  });
  it('passes on what the question itself throws', async () => {
    const failing = async (): Promise<boolean> => Promise.reject(new Error('policy down'));
    const { tool } = wrapToolSet({ tool: { needsApproval: failing, execute: () => 1 } }, { sink: createMemorySink(), session: 's' });
    await assert.rejects(async () => ask(tool, call), /policy down/);
  });
  it('is read past messages that throw when they are read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const parts = [{ type: 'tool-scan', toolCallId: 'call-1', approval: { id: 'x', approved: false } }];
    assert.deepEqual(reportDenied([proxy, { parts: [proxy] }, { parts }], { sink: createMemorySink(), session: 's' }), ['call-1']);
  });
  it('is denied by the answer in messages of either form, once per call', () => {
    const refused = { approved: false, reason: 'not now' };
    const model = [
      { role: 'assistant', content: [{ type: 'tool-approval-request', approvalId: 'q', toolCallId: 'a' }] },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'q', ...refused }] },
    ];
    const ui = [
      { role: 'assistant', parts: [{ type: 'tool-x', toolCallId: 'b', state: 'approval-responded', approval: { id: 'q', ...refused } }] },
    ];
    const other = [
      { role: 'user', content: 'text' },
      null,
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'x' }] },
    ];
    const sink = createMemorySink();
    assert.deepEqual(
      [model, ui, other, undefined].flatMap((each) => reportDenied(each, { sink, session: 's' })),
      ['a', 'b'],
    );
    assert.deepEqual(
      (sink.events as OperationEvent[]).map(({ id, state, error }) => [id, state, error?.message]),
      [
        ['a', 'denied', 'not now'],
        ['b', 'denied', 'not now'],
      ],
    );
  });
});

describe('a message that is written to', () => {
  it('gets one part for each record, whole, and nothing that came too late', () => {
    const written: { id: string; data: unknown }[] = [];
    const sink = createMessageSink({ write: ({ id, data }) => void written.push({ id, data }) }, 's');
    const reporter = createReporter({ sink, session: 's', id: 'a', title: 'Build', throttleMs: 0, signal: null });
    reporter.update({ current: 1, total: 2 });
    reporter.complete();
    sink.send({ type: 'operation', session: 's', id: 'a', at: 1, state: 'running' });
    sink.send({ type: 'operation', session: 'other', id: 'a', at: 1, state: 'running' });
    assert.deepEqual([...new Set(written.map(({ id }) => id))], ['sitrep:operation:["a"]']);
    assert.equal(written.length, 3);
    const last = written.at(-1)?.data as OperationEvent;
    assert.deepEqual([last.title, last.state, last.current, last.total], ['Build', 'completed', 1, 2]);
  });
  it('tells as little of an error as the AI SDK itself, unless the host says what, and what a person said of a refusal', () => {
    const errorsOf = (options?: MessageSinkOptions): unknown[] => {
      const written: OperationEvent[] = [];
      const sink = createMessageSink({ write: ({ data }) => void written.push(data as OperationEvent) }, 's', options);
      const open = (id: string) => createReporter({ sink, session: 's', id, signal: null });
      open('a').fail(Object.assign(new Error('password for db-7 refused'), { code: 'E_DB7' }));
      const messages = [{ parts: [{ type: 'tool-x', toolCallId: 'b', approval: { approved: false, reason: 'not now' } }] }];
      reportDenied(messages, { sink, session: 's' });
      return written.filter(({ error }) => error).map(({ error }) => error);
    };
    assert.deepEqual(errorsOf(), [{ message: 'An error occurred.' }, { message: 'not now' }]);
    assert.deepEqual(errorsOf({ onError: ({ message }) => message.replace(/db-\d/, 'the store') }), [
      { message: 'password for the store refused', code: 'E_DB7' },
      { message: 'not now' },
    ]);
  });
  it('may be gone: the work goes on', () => {
    const told: string[] = [];
    const writer = {
      write: () => {
        throw new Error('closed');
      },
    };
    const sink = createMessageSink(writer, 's', { onDiagnostic: ({ code }) => void told.push(code) });
    const reporter = createReporter({ sink, session: 's', signal: null });
    assert.equal(reporter.complete(), 'sent');
    assert.deepEqual(told, ['sink_failed', 'sink_failed']);
  });
});
