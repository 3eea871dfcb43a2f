import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkEvent } from '@sitrep/schema/check';
import { acp } from '@sitrep/schema/dialect/acp';
import { acpV2 } from '@sitrep/schema/dialect/acp-v2';
import { a2a } from '@sitrep/schema/dialect/a2a';
import { codexExec } from '@sitrep/schema/dialect/codex-exec';
import type { Dialect } from '@sitrep/schema/dialect';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder, createEncoder } from '@sitrep/schema/translate';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { cardEvent, id, producer, runEvent, runName } from '../reduce/arbitraries.ts';
import { SESSION } from '../reduce/events.ts';

const CONTEXT = { session: SESSION, at: 1000 };
const events: fc.Arbitrary<ProgressEvent[]> = fc
  .tuple(
    fc.record({ id, run: runName }).chain((key) => producer(key, 12)),
    fc.array(fc.oneof(cardEvent, runEvent), { maxLength: 6 }),
  )
  .map((parts) =>
    parts.flat().flatMap((event) => {
      const checked = checkEvent(event);
      return checked.ok ? [checked.value] : [];
    }),
  );

function update(sessionUpdate: string, more: object): unknown {
  return { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update: { sessionUpdate, ...more } } };
}

/** The size of what a dialect remembers after these frames, as JSON. */
function remembered(dialect: Dialect<unknown>, frames: Iterable<unknown>): number {
  let memory: unknown;
  for (const frame of frames) {
    const decoded = dialect.decode(frame, CONTEXT, memory);
    if (decoded.ok && decoded.memory !== undefined) memory = decoded.memory;
  }
  return JSON.stringify(memory ?? null).length;
}

describe('what is written for a peer of the first version', () => {
  it('holds none but its words, whatever is reported', () => {
    fc.assert(
      fc.property(events, (list) => {
        const encoder = createEncoder(acp, SESSION);
        for (const frame of list.flatMap((event) => encoder.encode(event))) {
          const said = frame.params.update;
          if (said.sessionUpdate === 'plan')
            for (const { status } of said.entries) assert.ok(['pending', 'in_progress', 'completed'].includes(status), status);
          else if (said.sessionUpdate !== 'session_info_update')
            assert.ok([undefined, 'pending', 'in_progress', 'completed', 'failed'].includes(said.status), said.status);
        }
      }),
      { numRuns: 300 },
    );
  });
  it('calls a command of a coding agent what the peer calls it, and gives our own word back', () => {
    const item = { id: 'item_1', type: 'command_execution', command: 'ls', aggregated_output: '', status: 'in_progress' };
    const read = codexExec.decode({ type: 'item.started', item }, CONTEXT);
    const [event] = read.ok ? read.events : [];
    assert.ok(event?.type === 'operation' && event.kind === 'command');
    for (const dialect of [acp, acpV2] as readonly Dialect<unknown>[]) {
      const [frame] = dialect.encode(event) as [{ params: { update: { kind?: string } } }];
      assert.equal(frame.params.update.kind, 'execute');
      const back = createDecoder(dialect, { session: SESSION }).decode(frame, 1000);
      assert.deepEqual(back.ok && back.events, [event]);
    }
  });
  it('holds none but its words where the word came from a peer of it', () => {
    const event: ProgressEvent = {
      type: 'operation',
      session: SESSION,
      id: 'a',
      at: 1,
      state: 'pending',
      native: { protocol: 'acp', state: 'cancelled' },
    };
    const [frame] = acp.encode(event);
    assert.ok(frame?.params.update.sessionUpdate === 'tool_call' && frame.params.update.status === 'pending');
    const back = acp.decode(frame, CONTEXT);
    assert.ok(back.ok);
    assert.deepEqual(back.events, [event]);
  });
  it('announces each call before anything else is said of it, with a title', () => {
    fc.assert(
      fc.property(events, (list) => {
        const encoder = createEncoder(acp, SESSION);
        const heard = new Set<string>();
        for (const frame of list.flatMap((event) => encoder.encode(event))) {
          const said = frame.params.update;
          if (said.sessionUpdate === 'tool_call') {
            assert.equal(typeof said.title, 'string');
            heard.add(said.toolCallId);
          } else if (said.sessionUpdate === 'tool_call_update') assert.ok(heard.has(said.toolCallId));
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a word of the second version', () => {
  it('is pending to the first, with the word kept, and never success', () => {
    for (const status of ['paused', 'cancelled', '_denied']) {
      const decoder = createDecoder(acp, { session: SESSION });
      decoder.decode(update('tool_call', { toolCallId: 'a', title: 'A', status: 'in_progress' }), 1000);
      const decoded = decoder.decode(update('tool_call_update', { toolCallId: 'a', status }), 1000);
      assert.ok(decoded.ok);
      const [event] = decoded.events;
      assert.ok(event?.type === 'operation' && event.state === 'pending' && event.native?.state === status);
      assert.equal(decoded.mended?.[0]?.code, 'enum');
    }
  });
});

describe('an event of A2A that leaves to the session what it is blocked on', () => {
  it('comes back whole from beside the word for it', () => {
    const encoder = createEncoder(a2a, SESSION);
    const decoder = createDecoder(a2a as Dialect<unknown>, { session: SESSION });
    const event = { type: 'operation' as const, session: SESSION, id: 'a', at: 1 };
    for (const each of [
      { ...event, blockedOn: { kind: 'auth' as const } },
      { ...event, state: 'blocked' as const },
    ]) {
      const [frame] = encoder.encode(each);
      const back = decoder.decode(frame, 1);
      assert.ok(back.ok);
      assert.deepEqual(back.events, [each]);
    }
  });
});

describe('what is said to a peer of A2A', () => {
  it('has a name of its own each time, because the peer keeps one message of a name', () => {
    const event = { type: 'operation', session: SESSION, id: 'a', at: 1000, state: 'running' } as const;
    const said = [
      { ...event, message: 'one' },
      { ...event, message: 'two' },
      { ...event, message: 'one', run: 'r' },
      { ...event, message: 'one', attempt: 2 },
      { ...event, message: 'one', at: 1001 },
      { ...event, message: 'one', seq: 1 },
      { ...event, message: 'one', seq: 1, attempt: 2 },
    ].flatMap((each) =>
      a2a.encode(each).map((frame) => ('statusUpdate' in frame ? frame.statusUpdate.status.message?.messageId : undefined)),
    );
    assert.equal(said.length, 7);
    assert.equal(new Set(said).size, 7);
  });
});

describe('a connection that was made anew', () => {
  it('numbers its requests anew, and an answer is that of the newest with its number', () => {
    const index = new SessionIndex(SESSION);
    const decoder = createDecoder(acp, { session: SESSION });
    const prompt = { jsonrpc: '2.0', id: 1, method: 'session/prompt', params: { sessionId: 's', prompt: [] } };
    const frames = [
      prompt,
      update('tool_call', { toolCallId: 'a', title: 'A', status: 'in_progress' }),
      prompt,
      update('tool_call', { toolCallId: 'b', title: 'B', status: 'completed' }),
      { jsonrpc: '2.0', id: 1, result: { stopReason: 'end_turn' } },
    ];
    for (const [at, frame] of frames.entries()) {
      const decoded = decoder.decode(frame, 1000 + at);
      assert.ok(decoded.ok);
      for (const event of decoded.events) index.apply(event);
    }
    assert.deepEqual(
      [...index.runs.values()].map(({ run, state }) => [run, state]),
      [
        ['turn-1000-1', 'running'],
        ['turn-1002-1', 'completed'],
      ],
    );
    assert.equal(index.find('a')?.state, 'running');
  });
});

describe('what is remembered of a stream', () => {
  const many = Array.from({ length: 3000 }, (_, index) => `call-${index}`);
  it('is bounded however many calls, turns and requests there are', () => {
    const calls = many.map((toolCallId) => update('tool_call', { toolCallId, title: 'A', status: 'in_progress' }));
    const upserts = many.map((toolCallId) => update('tool_call_update', { toolCallId, title: 'A', status: 'in_progress' }));
    const prompts = many.map((_, index) => ({
      jsonrpc: '2.0',
      id: index,
      method: 'session/prompt',
      params: { sessionId: 's', prompt: [] },
    }));
    const asks = many.map((toolCallId, index) => ({
      jsonrpc: '2.0',
      id: index,
      method: 'session/request_permission',
      params: { sessionId: 's', toolCall: { toolCallId }, options: many.map((optionId) => ({ optionId, name: 'x', kind: 'allow_once' })) },
    }));
    const tasks = many.map((taskId) => ({ statusUpdate: { taskId, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } }));
    assert.ok(remembered(acp, calls) < 100_000);
    assert.ok(remembered(acp, prompts) < 2_000);
    assert.ok(remembered(acp, asks) < 200_000);
    assert.ok(remembered(acpV2, upserts) < 100_000);
    assert.ok(remembered(a2a, tasks) < 20_000);
  });
  it('takes no name that is longer than the wire allows', () => {
    const long = 'x'.repeat(4_000_000);
    const frames = [
      { jsonrpc: '2.0', id: long, method: 'session/prompt', params: { sessionId: long, prompt: [] } },
      {
        jsonrpc: '2.0',
        id: long,
        method: 'session/request_permission',
        params: {
          sessionId: long,
          toolCall: { toolCallId: 'a', title: long, status: long },
          options: [{ optionId: long, kind: 'allow_once' }],
        },
      },
      update('tool_call', { toolCallId: 'b', title: long, status: long, kind: long, name: long }),
      update('plan_update', { plan: { type: 'markdown', planId: 'p', content: long } }),
    ];
    for (const dialect of [acp, acpV2]) assert.ok(remembered(dialect, frames) < 20_000, dialect.name);
  });
  it('lets ended calls go first, so that one at work is still heard of', () => {
    const index = new SessionIndex(SESSION);
    const decoder = createDecoder(acp, { session: SESSION });
    const hear = (frame: unknown): void => {
      const decoded = decoder.decode(frame, 1000);
      if (decoded.ok) for (const event of decoded.events) index.apply(event);
    };
    hear(update('tool_call', { toolCallId: 'first', title: 'A', status: 'in_progress' }));
    for (const toolCallId of many) hear(update('tool_call', { toolCallId, title: 'B', status: 'completed' }));
    hear(update('tool_call_update', { toolCallId: 'first', status: 'completed' }));
    assert.equal(index.find('first')?.state, 'completed');
  });
});
