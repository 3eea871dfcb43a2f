import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mcpTasks2026 } from '@sitrep/schema/dialect/mcp-tasks-2026';
import { mcpTasks } from '@sitrep/schema/dialect/mcp-tasks';
import { detect } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { createDecoder, createEncoder } from '@sitrep/schema/translate';

const word = fc.constantFrom('Uploading', 'Which branch?', 'سلام', '👩‍👩‍👧', 'x y');
const time = fc.oneof(
  fc.integer({ min: 0, max: 4_000_000_000_000 }).map((ms) => new Date(ms).toISOString()),
  fc.constantFrom('2026-08-01T10:00:00Z', '2026-08-01T12:00:00+02:00', '2026-08-01T10:00:00.5Z'),
);
const base = { taskId: fc.constantFrom('task-1', '__proto__', '7'), createdAt: time, lastUpdatedAt: time };
const span = fc.oneof(fc.constant(null), fc.nat());
const optional = { requiredKeys: ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttl'] as const };

const v1 = fc.record(
  {
    ...base,
    status: fc.constantFrom('working', 'input_required', 'completed', 'failed', 'cancelled', 'archived'),
    ttl: span,
    statusMessage: word,
    pollInterval: fc.nat(),
  },
  { requiredKeys: [...optional.requiredKeys] },
);

const request = fc.oneof(
  fc.record({
    method: fc.constant('elicitation/create'),
    params: fc.record({ message: word, requestedSchema: fc.constant({ type: 'object', properties: { a: { type: 'string' } } }) }),
  }),
  fc.record({ method: fc.constant('elicitation/create'), params: fc.record({ mode: fc.constant('url'), message: word, url: word }) }),
  fc.record({ method: fc.constantFrom('sampling/createMessage', 'roots/list'), params: fc.constant({}) }),
);
const v2 = fc
  .record(
    { ...base, ttlMs: span, statusMessage: word, pollIntervalMs: fc.nat() },
    { requiredKeys: ['taskId', 'createdAt', 'lastUpdatedAt', 'ttlMs'] },
  )
  .chain((common) =>
    fc.oneof(
      fc.constant({ ...common, status: 'working' }),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), request, { maxKeys: 3 }).map((inputRequests) => ({
        ...common,
        status: 'input_required',
        inputRequests,
      })),
      fc.constant({ ...common, status: 'completed', result: { content: [] } }),
      word.map((text) => ({ ...common, status: 'completed', result: { content: [{ type: 'text', text }], isError: true } })),
      fc.record({ code: fc.integer(), message: word }).map((error) => ({ ...common, status: 'failed', error })),
      fc.constant({ ...common, status: 'cancelled' }),
    ),
  );

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

for (const [name, dialect, method, task] of [
  ['mcp-tasks', mcpTasks, 'notifications/tasks/status', v1],
  ['mcp-tasks-2026', mcpTasks2026, 'notifications/tasks', v2],
] as const) {
  describe(`a task in the words of ${name}`, () => {
    it('comes back as the peer wrote it, without the slot, and is told apart', () => {
      fc.assert(
        fc.property(task as fc.Arbitrary<object>, (params) => {
          const frame = plain({ jsonrpc: '2.0', method, params });
          assert.equal(detect(frame), name);
          const decoded = createDecoder(dialect as Dialect<unknown>, { session: 's' }).decode(frame, 1000);
          assert.ok(decoded.ok, JSON.stringify(decoded));
          const encoder = createEncoder(dialect as Dialect<unknown>, 's');
          const back = decoded.events.flatMap((event) => encoder.encode(event));
          assert.deepEqual(plain(back), [frame]);
        }),
        { numRuns: 400 },
      );
    });
  });
}

describe('the words of many tasks', () => {
  it('are remembered for the newest hundred, and the memory is never changed in place', () => {
    const say = (taskId: string, memory: Parameters<typeof mcpTasks.decode>[2]) => {
      const params = { taskId, status: 'working', statusMessage: 'Uploading', ttl: null, createdAt: '', lastUpdatedAt: '' };
      const decoded = mcpTasks.decode({ method: 'notifications/tasks/status', params }, { session: 's', at: 1 }, memory);
      assert.ok(decoded.ok && decoded.memory !== undefined);
      return { memory: Object.freeze(decoded.memory), message: (decoded.events[0] as { message?: string }).message };
    };
    let memory = say('first', undefined).memory;
    assert.equal(say('first', memory).message, undefined);
    for (let index = 0; index < 100; index += 1) ({ memory } = say(`task-${index}`, memory));
    assert.equal(memory.said.length, 100);
    assert.equal(say('first', memory).message, 'Uploading');
    assert.equal(say('task-0', memory).message, undefined);
  });
});
