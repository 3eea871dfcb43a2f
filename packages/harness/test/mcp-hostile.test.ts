import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkEvent } from '@sitrep/schema/check';
import { tapped } from './support/tapped.ts';
import type { Message } from './support/scripted-transport.ts';

const key = fc.constantFrom('__proto__', 'constructor', 'toString', 'tok', '7', 'task-1', '');
const id = fc.oneof(key, fc.constantFrom<unknown>(0, 7, -1, 1.5, 2 ** 53, null, {}, [], Number.NaN));
const number = fc.oneof(fc.double(), fc.constantFrom(0, -0, 1, 1e300, 2 ** 53, Number.NaN, Infinity));
const word = fc.constantFrom('working', 'input_required', 'completed', 'failed', 'cancelled', 'archived', '__proto__', 'running', 'denied');
const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>(undefined, null, 'x'.repeat(5000)));

const event = fc.record(
  {
    type: fc.constant('operation'),
    session: key,
    id,
    at: number,
    state: word,
    current: number,
    total: number,
    parent: id,
    message: odd,
    attempt: number,
    blockedOn: odd,
    ext: odd,
  },
  { requiredKeys: ['type', 'session', 'id', 'at'] },
);
const progress = fc.record(
  { progressToken: id, progress: number, total: number, message: odd, _meta: fc.record({ 'sitrep/event': event, 'sitrep/beside': odd }) },
  { requiredKeys: [] },
);
const task = fc.record(
  { taskId: id, status: word, statusMessage: odd, createdAt: odd, ttl: odd, ttlMs: odd, result: odd, error: odd, inputRequests: odd },
  { requiredKeys: [] },
);
const result = fc.oneof(
  odd,
  fc.record({ task }),
  fc.record({ tasks: fc.array(task, { maxLength: 3 }) }),
  task.map((each) => ({ ...each, resultType: 'task' })),
  fc.record(
    { resultType: fc.constantFrom('input_required', 'complete', 'later'), inputRequests: odd, requestState: odd },
    { requiredKeys: [] },
  ),
  fc.record({ content: odd, isError: odd }),
);
const params = fc.oneof(
  odd,
  progress,
  task,
  fc.record({ name: key, arguments: odd, _meta: odd, requestState: odd, inputResponses: odd }, { requiredKeys: [] }),
  fc.record({ requestId: id, reason: odd }),
);
const method = fc.constantFrom(
  'tools/call',
  'tools/call',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
  'notifications/progress',
  'notifications/cancelled',
  'notifications/tasks',
  'notifications/tasks/status',
  'elicitation/create',
  'initialize',
  '__proto__',
);
const message = fc.oneof(
  odd,
  fc.record({ jsonrpc: fc.constant('2.0'), id, method, params }, { requiredKeys: ['jsonrpc', 'method'] }),
  fc.record({ jsonrpc: fc.constant('2.0'), id, result }, { requiredKeys: ['jsonrpc', 'id'] }),
  fc.record({ jsonrpc: fc.constant('2.0'), id, error: odd }),
);
const move = fc.oneof(
  fc.record({ send: fc.oneof(message, fc.array(message, { maxLength: 3 })) }),
  fc.record({ deliver: fc.oneof(message, fc.array(message, { maxLength: 3 })) }),
  fc.record({ pass: fc.integer({ min: 0, max: 100_000 }) }),
);

describe('whatever passes the tap', () => {
  it('passes: nothing throws, what is reported is sound, nothing stays behind when the connection is gone', () =>
    fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 40, size: 'max' }), async (moves) => {
        const { transport, tap, clock, events, diagnostics } = tapped(undefined, { limits: { idleMs: 30_000, totalMs: 100_000 } });
        for (const each of moves) {
          if ('send' in each) await transport.send(each.send as Message);
          else if ('deliver' in each) transport.deliver(each.deliver as Message);
          else clock.advance(each.pass);
        }
        for (const reported of events) assert.ok(checkEvent(reported).ok, JSON.stringify(reported));
        assert.ok(tap.counts.open >= 0 && tap.counts.open <= tap.counts.calls);
        await transport.close();
        transport.onclose?.();
        assert.deepEqual([tap.counts.open, clock.pending], [0, []]);
        assert.ok(
          diagnostics.every(({ code }) => code !== 'tap_failed'),
          JSON.stringify(diagnostics),
        );
        assert.equal(({} as Record<string, unknown>)['state'], undefined);
      }),
      { numRuns: 300 },
    ));
});
