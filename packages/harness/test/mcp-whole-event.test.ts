import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mcpProgressAmounts } from '@sitrep/schema/dialect/mcp';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { OperationEvent } from '@sitrep/schema/wire';
import { call, progress, result, tokenOf } from './support/scripted-transport.ts';
import type { Message } from './support/scripted-transport.ts';
import { tapped } from './support/tapped.ts';

const theirs = (more: Partial<OperationEvent>): OperationEvent => ({ type: 'operation', session: 'theirs', id: 'call', at: 5, ...more });

/** A notification of a server that sends its whole event; `inside` the call where the event has a parent. */
function whole(token: unknown, event: OperationEvent, seen = mcpProgressAmounts(event)): Message {
  const beside = event.id === 'call' ? undefined : { 'sitrep/beside': { ...seen, of: 'call' } };
  return progress(token, seen.progress, {
    ...seen,
    _meta: { 'sitrep/event': event, ...beside },
  });
}

async function begun(options: Parameters<typeof tapped>[1] = {}) {
  const all = tapped(undefined, options);
  await all.transport.send(call(1));
  const token = tokenOf(all.transport.sent[0]);
  const say = (event: Partial<OperationEvent>): void => all.transport.deliver(whole(token, theirs(event)));
  const records = (): unknown[] => {
    const index = new SessionIndex('s');
    for (const event of all.events) index.apply(event);
    return [...index.operations.values()];
  };
  return { ...all, token, say, records };
}

describe('a server that sends our whole event', () => {
  it('is heard in all it says of the call, and not in what names it here', async () => {
    const { say, events, transport } = await begun({ run: 'r', server: 'files' });
    say({
      run: 'x',
      seq: 40,
      attempt: 7,
      state: 'running',
      title: 'Copying',
      activeTitle: 'Copying files',
      message: 'a.txt',
      current: 3,
      total: 7,
      unit: 'files',
      usage: { tokens: 5 },
      cancellable: true,
      kind: 'x',
      tool: { name: 'x', origin: 'x' },
      ext: { x: 1 },
      ambient: true,
      native: { protocol: 'x' },
    });
    say({ state: 'blocked', blockedOn: { kind: 'permission', prompt: 'Overwrite?', requestId: '7' }, current: 4 });
    say({ state: 'waiting', waitingOn: { text: 'the lock' }, reason: 'lock' });
    transport.deliver(result(1));
    const [started, copying, blocked, waiting, done] = events;
    for (const event of events) assert.deepEqual([event.session, event.run, event.id, event.attempt], ['s', 'r', started?.id, 1]);
    const { type: _, session: __, run: ___, id: ____, at: _____, attempt: ______, ...told } = copying as OperationEvent;
    assert.deepEqual(told, {
      seq: 2,
      title: 'Copying',
      activeTitle: 'Copying files',
      message: 'a.txt',
      current: 3,
      total: 7,
      unit: 'files',
      usage: { tokens: 5 },
      cancellable: true,
    });
    assert.deepEqual([blocked?.state, blocked?.blockedOn], ['blocked', { kind: 'permission', prompt: 'Overwrite?', requestId: '7' }]);
    assert.deepEqual([waiting?.state, waiting?.waitingOn, waiting?.reason], ['waiting', { text: 'the lock' }, 'lock']);
    assert.equal(done?.state, 'completed');
  });

  it('does not end the call by an event: only the response does, and then as the event said', async () => {
    for (const [state, answer, expected] of [
      ['completed', result(1), 'completed'],
      ['denied', result(1), 'denied'],
      ['denied', result(1, { isError: true }), 'denied'],
      ['cancelled', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'stopped' } }, 'cancelled'],
      ['interrupted', result(1), 'interrupted'],
      ['failed', result(1), 'failed'],
      ['failed', result(1, { isError: true }), 'failed'],
      ['completed', result(1, { isError: true, content: [{ type: 'text', text: 'No' }] }), 'failed'],
    ] as const) {
      const { say, tap, events, transport } = await begun();
      say({ state, reason: 'policy', message: 'Last words', ...(state === 'failed' ? { error: { message: 'Disk full' } } : {}) });
      assert.equal(tap.counts.open, 1);
      assert.equal(events.length, 1);
      transport.deliver(answer as Message);
      const end = events.at(-1);
      assert.deepEqual([end?.state, end?.message], [expected, 'Last words'], `${state} and ${JSON.stringify(answer)}`);
      if (expected === 'failed') assert.equal(end?.error?.message, state === 'failed' ? 'Disk full' : 'No');
      else assert.equal(end?.reason, 'policy');
    }
  });

  it('reports what is inside the call as its children, three deep, each with its own end', async () => {
    const { say, records, transport } = await begun();
    const at = { state: 'running' } as const;
    say({ ...at, title: 'Outer', current: 1, total: 2 });
    say({ ...at, id: 'b', parent: 'call', title: 'Middle', kind: 'step', ext: { b: 1 } });
    say({ ...at, id: 'c', parent: 'b', title: 'Inner', current: 5 });
    say({ ...at, id: 'c', parent: 'b', current: 6, message: 'six' });
    say({ id: 'c', parent: 'b', state: 'denied', reason: 'policy' });
    say({ id: 'c', parent: 'b', state: 'running' });
    say({ id: 'b', state: 'failed', parent: 'call', error: { message: 'broke' } });
    say({ ...at, id: 'open', parent: 'call', title: 'Still open' });
    transport.deliver(result(1));
    const [outer, middle, inner, open] = records() as Record<string, unknown>[];
    const told = (record: Record<string, unknown> | undefined): unknown[] =>
      ['state', 'title', 'current', 'reason', 'parent'].map((key) => record?.[key]);
    assert.deepEqual(told(outer), ['completed', 'Outer', 1, undefined, undefined]);
    assert.deepEqual(told(middle), ['failed', 'Middle', undefined, undefined, outer?.['id']]);
    assert.deepEqual([middle?.['kind'], middle?.['ext']], ['step', { b: 1 }]);
    assert.deepEqual(told(inner), ['denied', 'Inner', 6, 'policy', middle?.['id']]);
    assert.deepEqual(told(open), ['interrupted', 'Still open', undefined, 'parent_ended', outer?.['id']]);
    for (const each of [middle, inner]) assert.ok(!['b', 'c', 'call'].includes(each?.['id'] as string));
  });

  it('cannot reach another call by its ids', async () => {
    const { transport, events, say } = await begun();
    await transport.send(call(2));
    say({ id: events[1]?.id ?? '', parent: 'call', state: 'failed' });
    assert.equal(
      events.find(({ id, state }) => id === events[1]?.id && state === 'failed'),
      undefined,
    );
  });

  it('begins an operation inside the call anew with a higher attempt', async () => {
    const { say, records } = await begun();
    say({ id: 'b', parent: 'call', state: 'running', current: 3 });
    say({ id: 'b', parent: 'call', state: 'failed' });
    say({ id: 'b', parent: 'call', attempt: 5, state: 'running', current: 1 });
    say({ id: 'b', parent: 'call', attempt: 5, current: 2 });
    say({ id: 'b', parent: 'call', attempt: 4, current: 99 });
    const [, inside] = records() as Record<string, unknown>[];
    assert.deepEqual([inside?.['attempt'], inside?.['state'], inside?.['current']], [2, 'running', 2]);
  });

  it('is followed in a hundred operations inside one call, ended ones let go first', async () => {
    const { say, diagnostics, events } = await begun();
    for (let index = 0; index < 100; index += 1) say({ id: index, parent: 'call', state: 'running' });
    say({ id: 100, parent: 'call', state: 'running' });
    assert.deepEqual(
      diagnostics.filter(({ code }) => code === 'dropped').map(({ code }) => code),
      ['dropped'],
    );
    say({ id: 0, parent: 'call', state: 'completed' });
    const known = events.length;
    say({ id: 101, parent: 'call', state: 'running' });
    assert.ok(events.length > known);
  });

  it('is not believed when the numbers beside its event are others', async () => {
    const { transport, token, events } = await begun();
    transport.deliver(progress(token, 9, { _meta: { 'sitrep/event': theirs({ state: 'blocked', current: 3 }) } }));
    assert.deepEqual([events.at(-1)?.state, events.at(-1)?.current], [undefined, 9]);
  });

  it('says with numbers alone nothing of the state, so that a wait of the host stays', async () => {
    const { say, transport, token, events } = await begun();
    say({ state: 'blocked', blockedOn: { kind: 'permission' } });
    transport.deliver(progress(token, 2));
    assert.deepEqual([events.at(-1)?.state, events.at(-1)?.current], [undefined, 2]);
  });
});
