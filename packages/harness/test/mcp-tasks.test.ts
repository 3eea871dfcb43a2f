import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OperationEvent } from '@sitrep/schema/wire';
import { call, progress, result, tokenOf } from './support/scripted-transport.ts';
import type { Message } from './support/scripted-transport.ts';
import { tapped } from './support/tapped.ts';

const told = (events: readonly OperationEvent[]): unknown[] =>
  events.map(({ state, reason, message, blockedOn, error, cancelRequested }) =>
    [state, reason, message, blockedOn?.kind, blockedOn?.prompt, error?.message, cancelRequested].filter((each) => each !== undefined),
  );

const TIMES = { createdAt: '2026-08-01T10:00:00.000Z', lastUpdatedAt: '2026-08-01T10:00:00.000Z' };

describe('a call that became a task of 2025-11-25', () => {
  const task = (status: string, more = {}): Record<string, unknown> => ({ taskId: 't', status, ttl: null, ...TIMES, ...more });
  const notice = (status: string, more = {}): Message => ({
    jsonrpc: '2.0',
    method: 'notifications/tasks/status',
    params: task(status, more),
  });

  it('is followed by notices and polls, and the words of an earlier status end nothing', async () => {
    const { transport, events } = tapped();
    await transport.send(call(1));
    const token = tokenOf(transport.sent[0]);
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { task: task('working', { statusMessage: 'Uploading' }) } }, progress(token, 1));
    transport.deliver(notice('input_required', { statusMessage: 'Uploading' }));
    await transport.send({ jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { taskId: 't' } });
    transport.deliver({ jsonrpc: '2.0', id: 2, result: task('working', { statusMessage: 'Merging' }) });
    await transport.send({ jsonrpc: '2.0', id: 3, method: 'tasks/cancel', params: { taskId: 't' } });
    transport.deliver(notice('failed', { statusMessage: 'Merging' }), notice('completed'));
    assert.deepEqual(told(events), [['running'], ['Uploading'], [], ['blocked', 'question'], ['running', 'Merging'], [true], ['failed']]);
  });

  it('is found in a list of tasks too, among those of others', async () => {
    const { transport, events } = tapped();
    await transport.send(call(1));
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { task: task('working') } });
    await transport.send({ jsonrpc: '2.0', id: 2, method: 'tasks/list' });
    const tasks = [null, { ...task('failed'), taskId: 'other' }, task('completed', { statusMessage: 'Merged' })];
    transport.deliver({ jsonrpc: '2.0', id: 2, result: { tasks } });
    assert.deepEqual(told(events).at(-1), ['completed', 'Merged']);
  });

  it('ends as the answer to tasks/result says, an error of the protocol included', async () => {
    for (const [answer, expected] of [
      [result(2, { isError: true, content: [{ type: 'text', text: 'conflict' }] }), ['failed', 'tool_error', 'conflict']],
      [{ jsonrpc: '2.0', id: 2, error: { code: -32_603, message: 'gone' } }, ['failed', 'protocol_error', 'gone']],
      [result(2), ['completed']],
    ] as const) {
      const { transport, events, tap } = tapped();
      await transport.send(call(1));
      transport.deliver({ jsonrpc: '2.0', id: 1, result: { task: task('working') } });
      await transport.send({ jsonrpc: '2.0', id: 2, method: 'tasks/result', params: { taskId: 't' } });
      transport.deliver(answer as Message);
      assert.deepEqual([told(events).at(-1), tap.counts.open], [expected, 0]);
    }
  });

  it('has ended when the notice of its end comes before the answer that creates it', async () => {
    const { transport, events, tap } = tapped();
    await transport.send(call(1));
    transport.deliver(notice('working', { statusMessage: 'Uploading' }), notice('completed', { statusMessage: 'Merged' }));
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { task: task('working') } }, notice('failed'));
    assert.deepEqual([told(events), tap.counts.open], [[['running'], [], ['completed', 'Merged']], 0]);
  });

  it('has not ended with an earlier task of its name', async () => {
    const { transport, events, tap } = tapped();
    transport.deliver(notice('completed', { createdAt: '2026-07-31T10:00:00.000Z' }));
    await transport.send(call(1));
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { task: task('working') } });
    assert.deepEqual([told(events), tap.counts.open], [[['running'], []], 1]);
  });

  it('keeps little of what is said about tasks of others', async () => {
    const { transport, events } = tapped();
    await transport.send(call(1));
    for (let other = 0; other < 1000; other += 1)
      transport.deliver(notice('completed', { taskId: `t${other}`, statusMessage: 'x'.repeat(5000) }));
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { task: { ...task('working'), taskId: 't899' } } });
    assert.deepEqual([told(events), events[0]?.state], [[['running'], []], 'running']);
    await transport.send(call(2));
    transport.deliver({ jsonrpc: '2.0', id: 2, result: { task: { ...task('working'), taskId: 't901' } } });
    assert.equal(told(events).length, 5);
    assert.equal(events.at(-1)?.state, 'completed');
  });

  it('is over without an outcome once its server knows it no longer, and only then', async () => {
    const { transport, events, tap } = tapped();
    await transport.send(call(1));
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { task: task('working') } });
    const ask = async (id: number, method: string, code: number): Promise<void> => {
      await transport.send({ jsonrpc: '2.0', id, method, params: { taskId: 't' } });
      transport.deliver({ jsonrpc: '2.0', id, error: { code, message: 'Failed to retrieve task: Task not found' } });
    };
    await ask(2, 'tasks/get', -32_603);
    await ask(3, 'tasks/cancel', -32_602);
    assert.equal(tap.counts.open, 1);
    await ask(4, 'tasks/get', -32_602);
    assert.deepEqual([told(events).at(-1), tap.counts.open], [['interrupted', 'task_unknown'], 0]);
  });

  it('is interrupted when another call becomes a task of its name, which goes on', async () => {
    const { transport, events, tap } = tapped();
    await transport.send(call(1));
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { task: task('working') } });
    await transport.send(call(2));
    transport.deliver({ jsonrpc: '2.0', id: 2, result: { task: task('working') } });
    assert.deepEqual([told(events).at(-2), tap.counts.open], [['interrupted', 'task_id_reused'], 1]);
    transport.deliver(notice('completed'));
    assert.deepEqual(
      events.filter(({ state }) => state === 'completed' || state === 'interrupted').map(({ id }) => id),
      [events[0]?.id, events[2]?.id],
    );
    await transport.close();
    assert.equal(tap.counts.open, 0);
  });
});

describe('a call that became a task of 2026-07-28', () => {
  const task = (status: string, more = {}): Record<string, unknown> => ({ taskId: 't', status, ttlMs: null, ...TIMES, ...more });

  it('is followed by notices and polls; what it asks for is shown, and an error in its result is a failure', async () => {
    const { transport, events } = tapped();
    await transport.send(call(1));
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { resultType: 'task', ...task('working') } });
    const inputRequests = { ok: { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in', url: 'https://example.com' } } };
    transport.deliver({ jsonrpc: '2.0', method: 'notifications/tasks', params: task('input_required', { inputRequests }) });
    await transport.send({ jsonrpc: '2.0', id: 2, method: 'tasks/update', params: { taskId: 't', inputResponses: {} } });
    transport.deliver({ jsonrpc: '2.0', id: 2, result: { resultType: 'complete' } });
    await transport.send({ jsonrpc: '2.0', id: 3, method: 'tasks/get', params: { taskId: 't' } });
    const failed = { isError: true, content: [{ type: 'text', text: 'conflict' }] };
    transport.deliver({ jsonrpc: '2.0', id: 3, result: { resultType: 'complete', ...task('completed', { result: failed }) } });
    assert.deepEqual(told(events), [['running'], [], ['blocked', 'auth', 'Sign in'], ['failed', 'tool_error', 'conflict']]);
  });
});

describe('a call the server answers with a question', () => {
  const ask = (id: number, requestState?: string): Message => ({
    jsonrpc: '2.0',
    id,
    result: {
      resultType: 'input_required',
      inputRequests: { ok: { method: 'elicitation/create', params: { message: 'Delete?', requestedSchema: { properties: {} } } } },
      ...(requestState === undefined ? {} : { requestState }),
    },
  });
  const again = (id: number, more: Record<string, unknown>, args: unknown = { path: '/' }): Message => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'scan', arguments: args, inputResponses: { ok: { action: 'accept' } }, ...more },
  });

  it('is blocked until the client brings the answer with another request, and stays one operation', async () => {
    const { transport, events, tap } = tapped();
    await transport.send(call(1));
    transport.deliver(ask(1, 'state-1'));
    assert.deepEqual(told(events).at(-1), ['blocked', 'permission', 'Delete?']);
    await transport.send(again(2, { requestState: 'state-1' }));
    transport.deliver(progress(tokenOf(transport.sent[1]), 5), result(2));
    assert.deepEqual(told(events).slice(1), [['blocked', 'permission', 'Delete?'], ['running'], [], ['completed']]);
    assert.equal(new Set(events.map(({ id }) => id)).size, 1);
    assert.deepEqual([tap.counts.calls, tap.counts.open], [1, 0]);
  });

  it('is not taken for another: a new call of the same tool, another state or other arguments begin an operation of their own', async () => {
    for (const other of [call(2), again(2, { requestState: 'state-2' }), again(2, { requestState: 'state-1' }, { path: '/etc' })]) {
      const { transport, events, tap } = tapped();
      await transport.send(call(1));
      transport.deliver(ask(1, 'state-1'));
      await transport.send(other);
      assert.equal(new Set(events.map(({ id }) => id)).size, 2);
      assert.equal(tap.counts.open, 2);
    }
  });

  it('of two that were asked with different states each goes on as itself', async () => {
    const { transport, events } = tapped();
    await transport.send(call(1));
    await transport.send(call(2));
    transport.deliver(ask(1, 'one'), ask(2, 'two'));
    await transport.send(again(3, { requestState: 'two' }));
    transport.deliver(result(3, { isError: true }));
    await transport.send(again(4, { requestState: 'one' }));
    transport.deliver(result(4));
    const [one, two] = events.map(({ id }) => id);
    assert.deepEqual(
      events.filter(({ state }) => state === 'failed' || state === 'completed').map(({ id, state }) => [id === one ? 1 : 2, state]),
      [
        [2, 'failed'],
        [1, 'completed'],
      ],
    );
    assert.notEqual(one, two);
  });

  it('waits without calling anybody when only the host’s machine is asked', async () => {
    const { transport, events } = tapped();
    await transport.send(call(1));
    const inputRequests = { s: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } } };
    transport.deliver({ jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', inputRequests } });
    assert.equal(events.at(-1)?.state, 'waiting');
  });

  it('is interrupted when the connection closes before', async () => {
    const { transport, events } = tapped();
    await transport.send(call(1));
    transport.deliver(ask(1));
    transport.onclose?.();
    await transport.close();
    assert.deepEqual([events.at(-1)?.state, events.at(-1)?.reason], ['interrupted', 'transport_closed']);
  });
});

describe('a result of a kind nobody knows', () => {
  it('is no success: the call has ended, and nobody can say how', async () => {
    const { transport, events } = tapped();
    await transport.send(call(1));
    transport.deliver(result(1, { resultType: 'postponed' }));
    assert.deepEqual([events.at(-1)?.state, events.at(-1)?.reason], ['interrupted', 'unknown_result_type']);
  });
});
