import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { acp } from '@sitrep/schema/dialect/acp';
import { acpV2 } from '@sitrep/schema/dialect/acp-v2';
import { a2a } from '@sitrep/schema/dialect/a2a';
import { mcpProgress } from '@sitrep/schema/dialect/mcp';
import { mcpTasks } from '@sitrep/schema/dialect/mcp-tasks';
import { mcpTasks2026 } from '@sitrep/schema/dialect/mcp-tasks-2026';
import type { Dialect } from '@sitrep/schema/dialect';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder, createEncoder } from '@sitrep/schema/translate';

type Frames = fc.Arbitrary<unknown>;

/** An object of which only these members are always there. */
function some(members: Readonly<Record<string, Frames>>, always: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(members, { requiredKeys: [...always] });
}

const id = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom<unknown>('Build', 'Ünïcode 👩‍💻', 'line one\nline two', '', ' ', 'x'.repeat(600), '\u001b[2mdim', null, 7);

const content = fc.oneof(
  fc.constantFrom<unknown>([], null, 'text'),
  text.map((each) => [{ type: 'content', content: { type: 'text', text: each } }]),
);
const entries = fc.array(
  fc.record({
    content: fc.constantFrom('one', 'two', 'three', ''),
    priority: fc.constantFrom('high', 'medium'),
    status: fc.constantFrom('pending', 'in_progress', 'completed', 'cancelled', 'later'),
  }),
  { maxLength: 4 },
);
const update = (each: Record<string, unknown>): unknown => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's1', update: each },
});
const call = (names: readonly string[], status: Frames): Frames =>
  some(
    {
      sessionUpdate: fc.constantFrom(...names),
      toolCallId: id,
      title: text,
      kind: fc.constantFrom('read', 'edit', 'weird', null),
      status,
      content,
      name: text,
      rawOutput: text,
      capabilities: fc.constantFrom(null, {}, { cancel: {} }),
    },
    ['sessionUpdate', 'toolCallId'],
  ).map(update);
/** Turns and permissions, whose requests and answers both directions number alike. */
const rpc = fc.integer({ min: 0, max: 2 });
const requests = fc.oneof(
  rpc.map((each) => ({ jsonrpc: '2.0', id: each, method: 'session/prompt', params: { sessionId: 's1', prompt: [] } })),
  fc
    .tuple(rpc, fc.constantFrom('end_turn', 'cancelled', 'refusal', 'later'))
    .map(([each, stopReason]) => ({ jsonrpc: '2.0', id: each, result: { stopReason } })),
  fc.tuple(rpc, id, text).map(([each, toolCallId, title]) => ({
    jsonrpc: '2.0',
    id: each,
    method: 'session/request_permission',
    params: { sessionId: 's1', title, toolCall: { toolCallId, title }, options: [{ optionId: 'no', kind: 'reject_once' }] },
  })),
  rpc.map((each) => ({ jsonrpc: '2.0', id: each, result: { outcome: { outcome: 'selected', optionId: 'no' } } })),
  rpc.map((each) => ({ jsonrpc: '2.0', id: each, error: { code: -32_603, message: 'no' } })),
  fc.constant({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's1' } }),
);
const info = some({ sessionUpdate: fc.constant('session_info_update'), title: text }, ['sessionUpdate']).map(update);
const acpFrames = fc.oneof(
  call(['tool_call', 'tool_call_update'], fc.constantFrom('pending', 'in_progress', 'completed', 'failed', 'cancelled', 'later')),
  entries.map((each) => update({ sessionUpdate: 'plan', entries: each })),
  info,
  requests,
);
const acpV2Frames = fc.oneof(
  call(
    ['tool_call_update'],
    fc.constantFrom('pending', 'in_progress', 'paused', 'completed', 'failed', 'cancelled', '_denied', '_x', null),
  ),
  fc
    .oneof(
      entries.map((each) => ({ type: 'items', planId: 'p', entries: each })),
      fc.constantFrom('# Hi', '').map((each) => ({ type: 'markdown', planId: 'q', content: each })),
    )
    .map((plan) => update({ sessionUpdate: 'plan_update', plan })),
  fc
    .constantFrom(
      { state: 'running' },
      { state: 'requires_action' },
      { state: 'idle', stopReason: 'end_turn' },
      { state: 'idle' },
      { state: 'idle', stopReason: 'later' },
    )
    .map((each) => update({ sessionUpdate: 'state_update', ...each })),
  info,
  requests,
);

const status = some(
  {
    state: fc.constantFrom<unknown>(
      ...[
        'SUBMITTED',
        'WORKING',
        'COMPLETED',
        'FAILED',
        'CANCELED',
        'INPUT_REQUIRED',
        'REJECTED',
        'AUTH_REQUIRED',
        'LATER',
        'UNSPECIFIED',
      ].map((word) => `TASK_STATE_${word}`),
      99,
    ),
    timestamp: fc.constantFrom('2026-11-30T10:00:00.000Z', '2026-11-30T10:00:01', 'nope'),
    message: text.map((each) => ({ messageId: 'm1', parts: [{ text: each }] })),
  },
  ['state'],
);
const a2aFrames = fc.oneof(
  fc.record({ statusUpdate: fc.record({ taskId: id, contextId: fc.constant('ctx'), status }) }),
  fc.record({ task: some({ id, contextId: fc.constant('ctx'), status }, ['id', 'contextId']) }),
  fc.record({
    artifactUpdate: fc.record({
      taskId: id,
      contextId: fc.constant('ctx'),
      artifact: fc.record({ artifactId: fc.constant('f'), name: text }),
      append: fc.boolean(),
    }),
  }),
);

const task = {
  taskId: id,
  status: fc.constantFrom('working', 'input_required', 'completed', 'failed', 'cancelled', 'later'),
  statusMessage: text,
  createdAt: fc.constantFrom('2026-11-30T10:00:00Z', '2026-11-30T10:00:00.000Z', '2026-11-30T10:00:00', 'nope'),
  lastUpdatedAt: fc.constantFrom('2026-11-30T10:00:05Z', '2026-11-30T10:00:06+00:00'),
};
const taskFrames = some({ ...task, ttl: fc.constantFrom(null, 5), pollInterval: fc.constantFrom(1, 2) }, [
  'taskId',
  'status',
  'createdAt',
  'lastUpdatedAt',
  'ttl',
]).map((params) => ({ jsonrpc: '2.0', method: 'notifications/tasks/status', params }));
const task2026Frames = some(
  {
    ...task,
    ttlMs: fc.constantFrom(null, 5),
    pollIntervalMs: fc.constantFrom(1, 2),
    inputRequests: fc.constantFrom<unknown>(
      {},
      { k: { method: 'elicitation/create', params: { message: 'Which?' } } },
      { k: { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in' } } },
      { k: { method: 'roots/list' } },
    ),
    result: fc.constantFrom<unknown>({ content: [] }, { isError: true, content: [{ type: 'text', text: 'bad' }] }, { isError: true }),
    error: fc.constantFrom<unknown>({ code: -1, message: 'no' }, { code: -5 }, { message: '' }),
  },
  ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttlMs'],
).map((params) => ({ jsonrpc: '2.0', method: 'notifications/tasks', params }));
const progressFrames = some(
  {
    progressToken: fc.constantFrom(0, 7, '7', '', 1),
    progress: fc.constantFrom(0, 1, 0.5, -1, 100),
    total: fc.constantFrom(10, 0, -1, null),
    message: text,
  },
  ['progressToken', 'progress'],
).map((params) => ({ jsonrpc: '2.0', method: 'notifications/progress', params }));

const PEERS: readonly (readonly [Dialect<unknown>, Frames])[] = [
  [acp, acpFrames],
  [acpV2, acpV2Frames],
  [a2a, a2aFrames],
  [mcpTasks, taskFrames],
  [mcpTasks2026, task2026Frames],
  [mcpProgress, progressFrames],
];
/** What a peer said with words of a later version, or with amounts that are none, says the same when it is given back. */
const SAID_AGAIN: ReadonlySet<string> = new Set(['enum', 'range']);

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const recordsOf = (index: SessionIndex): unknown => plain(index.snapshot(0, 'epoch', 0));

describe('a bridge from a peer to the same peer', () => {
  for (const [dialect, frame] of PEERS) {
    it(`leads to the same records at its other end, whatever ${dialect.name} says`, () =>
      fc.assert(
        fc.property(fc.array(frame, { minLength: 1, maxLength: 8 }), (frames) => {
          const [near, far] = [new SessionIndex('s'), new SessionIndex('s')];
          const [reader, writer, other] = [
            createDecoder(dialect, { session: 's' }),
            createEncoder(dialect, 's'),
            createDecoder(dialect, { session: 's' }),
          ];
          for (const [index, each] of frames.entries()) {
            const heard = reader.decode(each, 1000 + index);
            for (const event of heard.ok ? heard.events : []) {
              near.apply(event);
              for (const written of writer.encode(event)) {
                const again = other.decode(plain(written), 1000 + index);
                assert.ok(again.ok, JSON.stringify(written));
                assert.deepEqual(
                  again.mended?.filter(({ code }) => !SAID_AGAIN.has(code)),
                  again.mended === undefined ? undefined : [],
                );
                for (const said of again.events) far.apply(said);
              }
            }
          }
          assert.deepEqual(recordsOf(far), recordsOf(near));
        }),
        { numRuns: 1000 },
      ));
  }
});
