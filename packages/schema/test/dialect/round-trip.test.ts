import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkEvent } from '@sitrep/schema/check';
import {
  dialects,
  mcpProgress,
  mendPlan,
  normalizeOpenClawCard,
  progress,
  progressCard,
  reportProgress,
  toolProgress,
} from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { eventOf, reduceOperation } from '@sitrep/schema/reduce';
import type { CardEvent, OperationEvent } from '@sitrep/schema/wire';
import { id, producer, runName } from '../reduce/arbitraries.ts';

const CONTEXT = { session: 'chat-1', at: 1000 };
const word = fc.constantFrom('a', 'Building project', 'سلام', '👩‍👩‍👧', 'x y');
const peerId = fc.oneof(fc.constantFrom<string | number>(0, 7, '7', 'call-1'), fc.integer());
const operations: fc.Arbitrary<OperationEvent[]> = fc.record({ id, run: runName }).chain((key) => producer(key, 10));

/** What the wire takes: dialects meet only checked events. */
function checked(events: readonly OperationEvent[]): OperationEvent[] {
  return events.flatMap((event) => {
    const result = checkEvent(event);
    return result.ok && result.value.type === 'operation' ? [result.value] : [];
  });
}

function without<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Peer, ours, peer. */
function there<Frame>(dialect: Dialect<Frame>, frame: Frame): unknown[] {
  const decoded = dialect.decode(frame, CONTEXT);
  assert.ok(decoded.ok, JSON.stringify(decoded));
  assert.equal(decoded.mended, undefined);
  return decoded.events.flatMap((event) => dialect.encode(event)).map((each) => without(each as object));
}

describe('our event through the slot of MCP', () => {
  it('comes back as it was, whatever it says', () => {
    fc.assert(
      fc.property(operations, (events) => {
        for (const event of checked(events)) {
          const [frame] = mcpProgress.encode(event);
          const back = mcpProgress.decode(frame, CONTEXT);
          assert.ok(back.ok);
          assert.deepEqual(back.events, [event]);
        }
      }),
      { numRuns: 300 },
    );
  });
  it('comes back as it was after JSON', () => {
    fc.assert(
      fc.property(operations, (events) => {
        for (const event of checked(events).map(without)) {
          const back = mcpProgress.decode(without(mcpProgress.encode(event)[0] as object), CONTEXT);
          assert.ok(back.ok);
          assert.deepEqual(back.events.map(without), [event]);
        }
      }),
    );
  });
});

describe("a peer's frame through our event", () => {
  it('comes back as it was from report-progress', () => {
    const frame = fc.record(
      {
        callId: fc.oneof(peerId, fc.constant('x')),
        title: word,
        current: fc.integer(),
        total: fc.integer({ min: 1 }),
        status: fc.constantFrom('running', 'completed', 'failed'),
        message: fc.oneof(word, fc.constant('')),
        parentCallId: peerId,
        liveSeq: fc.nat(),
        kind: word,
      },
      { requiredKeys: ['callId', 'title', 'current', 'total', 'status', 'message'] },
    );
    fc.assert(
      fc.property(frame, (each) => assert.deepEqual(there(reportProgress, each), [without(each)])),
      { numRuns: 300 },
    );
  });
  it('comes back as it was from progress', () => {
    const frame = fc.record(
      {
        id: peerId,
        status: fc.constantFrom('running', 'done', 'error', 'waiting', 'completed', 'failed'),
        title: word,
        detail: word,
        progress: fc.double({ min: 0, max: 1, noNaN: true }),
      },
      { requiredKeys: ['id', 'status'] },
    );
    fc.assert(
      fc.property(frame, (each) => assert.deepEqual(there(progress, each), [without(each)])),
      { numRuns: 300 },
    );
  });
  it('comes back as it was from tool-progress', () => {
    const sequence = fc.oneof(fc.maxSafeNat(), fc.maxSafeNat().map(String));
    const amount = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    const frame = fc.record(
      { internal_call_id: peerId, sequence, message: word, completed: amount, total: fc.double({ min: 0.001, max: 1e9, noNaN: true }) },
      { requiredKeys: ['internal_call_id', 'sequence'] },
    );
    fc.assert(
      fc.property(frame, (each) => assert.deepEqual(there(toolProgress, each), [without(each)])),
      { numRuns: 300 },
    );
  });
  it('comes back as it was from MCP, beside the slot', () => {
    const params = fc.record(
      { progressToken: fc.oneof(peerId, fc.constant('0f3a')), progress: fc.integer(), total: fc.integer({ min: 1 }), message: word },
      { requiredKeys: ['progressToken', 'progress'] },
    );
    fc.assert(
      fc.property(params, (each) => {
        const [back] = there(mcpProgress, { jsonrpc: '2.0', method: 'notifications/progress', params: each }) as [
          { params: Record<string, unknown> },
        ];
        const { _meta, ...visible } = back.params;
        assert.deepEqual(visible, without(each));
        assert.ok(_meta);
      }),
      { numRuns: 300 },
    );
  });
  it('comes back as it was from progress-card', () => {
    const step = fc.record({ step: word, status: fc.constantFrom('pending', 'completed') });
    const frame = fc.record(
      {
        sessionKey: fc.constant('chat-1'),
        revision: fc.integer({ min: 1 }),
        updatedAt: fc.nat(),
        markdown: word,
        steps: fc.array(step, { minLength: 1, maxLength: 50 }),
      },
      { requiredKeys: ['sessionKey', 'revision', 'updatedAt', 'markdown'] },
    );
    fc.assert(
      fc.property(frame, (each) => {
        const [card, notice] = there(progressCard, each);
        assert.deepEqual(card, without(each));
        assert.deepEqual(notice, {
          type: 'event',
          event: 'progressCard.changed',
          payload: { sessionKey: 'chat-1', revision: each.revision },
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe('a native word', () => {
  it('goes back only while our state is still what it means', () => {
    const decoded = progress.decode({ id: 'a', status: 'completed' }, CONTEXT);
    assert.ok(decoded.ok);
    const [event] = decoded.events as [OperationEvent];
    assert.equal(progress.encode(event)[0]?.status, 'completed');
    assert.equal(progress.encode({ ...event, state: 'failed' })[0]?.status, 'error');
    assert.equal(reportProgress.encode(event)[0]?.status, 'completed');
  });
});

/** Dialects that only write: nothing of theirs is read back. */
const WRITTEN_ONLY: ReadonlySet<string> = new Set(['osc-notify', 'slack']);

describe('every dialect', () => {
  const frames = fc.oneof(
    fc.jsonValue(),
    fc.record(
      Object.fromEntries(
        [
          'type',
          'id',
          'status',
          'title',
          'detail',
          'progress',
          'callId',
          'current',
          'total',
          'message',
          'internal_call_id',
          'sequence',
          'completed',
          'method',
          'params',
          'progressToken',
          'sessionKey',
          'revision',
          'updatedAt',
          'steps',
          'markdown',
          'plan',
          'card',
          'event',
          'payload',
          'stream',
          'data',
        ].map((key) => [
          key,
          fc.oneof(
            fc.jsonValue(),
            fc.constantFrom('chat-1', 'running', 'done', 'notifications/progress', 'progressCard.changed', 'plan', 1, 0, null),
            fc.constantFrom(NaN, Infinity),
          ),
        ]),
      ),
      { requiredKeys: [] },
    ),
  );
  for (const [name, dialect] of Object.entries(dialects) as [string, Dialect<unknown>][]) {
    it(`${name} reads anything without throwing, and what comes out passes the check`, () => {
      fc.assert(
        fc.property(frames, (frame) => {
          assert.equal(typeof dialect.detect(frame), 'boolean');
          const decoded = dialect.decode(frame, CONTEXT);
          if (!decoded.ok) return assert.ok(decoded.issues.length > 0);
          for (const event of decoded.events) {
            assert.ok(checkEvent(event).ok);
            dialect.encode(event);
          }
        }),
        { numRuns: 500 },
      );
    });
    it(`${name} writes any event and any record without throwing, and reads what it wrote, and detects it unless it gave back a foreign word`, () => {
      fc.assert(
        fc.property(operations, (events) => {
          for (const event of checked(events)) {
            const record = reduceOperation(undefined, event).state;
            for (const each of [event, eventOf('chat-1', record)]) {
              for (const frame of dialect.encode(each)) {
                if (WRITTEN_ONLY.has(name)) {
                  assert.equal(dialect.detect(frame), false);
                  assert.equal(dialect.decode(frame, CONTEXT).ok, false);
                  continue;
                }
                if (each.native?.protocol !== name) assert.ok(dialect.detect(frame), JSON.stringify(frame));
                assert.ok(dialect.decode(frame, CONTEXT).ok);
              }
            }
          }
        }),
      );
    });
    it(`${name} goes by its name`, () => assert.equal(dialect.name, name));
  }
  it('is told apart by its frames', () => {
    const event: OperationEvent = {
      type: 'operation',
      session: 'chat-1',
      id: 'a',
      seq: 1,
      at: 1,
      state: 'running',
      title: 'T',
      current: 1,
      total: 2,
    };
    const card: CardEvent = { type: 'card', session: 'chat-1', revision: 1, at: 1, card: { markdown: 'a' } };
    for (const writer of Object.values(dialects) as Dialect<unknown>[]) {
      for (const frame of [...writer.encode(event), ...writer.encode(card)]) {
        const readers = (Object.values(dialects) as Dialect<unknown>[])
          .filter((reader) => reader.detect(frame))
          .map((reader) => reader.name);
        assert.deepEqual(readers, WRITTEN_ONLY.has(writer.name) ? [] : [writer.name]);
      }
    }
    for (const dialect of Object.values(dialects) as Dialect<unknown>[]) assert.equal(dialect.detect(event), false);
  });
});

describe('numbers JSON cannot hold', () => {
  it('are left out or refused, never carried', () => {
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      const rig = toolProgress.decode({ internal_call_id: 'a', sequence: 1, completed: value, total: value }, CONTEXT);
      assert.ok(rig.ok);
      assert.deepEqual(rig.events, [
        {
          type: 'operation',
          session: 'chat-1',
          id: 'a',
          at: 1000,
          state: 'running',
          seq: 1,
          native: { protocol: 'tool-progress', ids: { internal_call_id: 'a' } },
        },
      ]);
      assert.equal(rig.mended?.length, 2);
      const own = progress.decode({ id: 'a', status: 'running', progress: value }, CONTEXT);
      assert.ok(own.ok && own.mended?.[0]?.path === '/progress');
      assert.equal(mcpProgress.decode({ progressToken: 1, progress: value }, CONTEXT).ok, false);
    }
  });
});

describe('foreign lists', () => {
  const list = fc.array(
    fc.oneof(
      fc.jsonValue(),
      fc.record({
        step: fc.oneof(word, fc.string({ size: 'max', maxLength: 700 })),
        status: fc.constantFrom('pending', 'in_progress', 'inProgress', 'completed', 'failed', 'cancelled', 'done', 3),
      }),
    ),
    { maxLength: 70, size: 'max' },
  );
  it('become plans the wire takes, whatever stands in them', () => {
    fc.assert(
      fc.property(list, (steps) => {
        const plan = mendPlan(steps, '/steps', []);
        assert.ok(plan);
        assert.ok(plan.filter((step) => step.status === 'in_progress').length <= 1);
        const result = checkEvent({ type: 'card', session: 'chat-1', revision: 1, at: 1, card: { plan } });
        assert.ok(result.ok, JSON.stringify(result));
        assert.deepEqual(result.value, { type: 'card', session: 'chat-1', revision: 1, at: 1, card: { plan } });
      }),
      { numRuns: 300 },
    );
  });
  it('that are no lists are no plans', () => {
    assert.equal(mendPlan('a', '', []), undefined);
  });
});

describe('the profile openclaw-2026.9', () => {
  it('answers any value without throwing, and takes its own answer unchanged', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({ plan: fc.jsonValue(), markdown: fc.oneof(fc.string(), fc.jsonValue()) }, { requiredKeys: [] }),
        ),
        (input) => {
          const result = normalizeOpenClawCard(input);
          if (!result.ok) return assert.equal(result.issues.length, 1);
          assert.deepEqual(normalizeOpenClawCard(result.value), result);
        },
      ),
      { numRuns: 500 },
    );
  });
});
