import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dialects, reportProgress, toolProgress } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { revoked, unreadable } from '../hostile.ts';

const CONTEXT = { session: 'chat-1', at: 1000, id: 'call-1' };
const FRAME = {
  callId: 'a',
  id: 'a',
  internal_call_id: 'a',
  sequence: 1,
  title: 'T',
  current: 1,
  total: 2,
  status: 'running',
  progressToken: 1,
  progress: 0.5,
};
const CARD = { sessionKey: 'chat-1', revision: 1, updatedAt: 1, steps: [{ step: 'a', status: 'pending' }] };
const EVENT = { type: 'operation', session: 'chat-1', id: 'a', seq: 1, at: 1, state: 'running', title: 'T', native: { protocol: 'x' } };

function withThrowing(base: object): object[] {
  return Object.keys(base).map((key) => Object.defineProperty({ ...base }, key, unreadable));
}

describe('a value that throws when it is read', () => {
  for (const [name, dialect] of Object.entries(dialects) as [string, Dialect<unknown>][]) {
    it(`is refused by ${name}, or read as far as it can be, and detected by nobody`, () => {
      for (const frame of [revoked(), ...withThrowing(FRAME), ...withThrowing(CARD)]) {
        const decoded = dialect.decode(frame, CONTEXT);
        assert.ok(decoded.ok || decoded.issues.length > 0);
        assert.equal(typeof dialect.detect(frame), 'boolean');
      }
      assert.equal(dialect.decode(revoked(), CONTEXT).ok, false);
      assert.equal(dialect.detect(revoked()), false);
    });
    it(`has no frame in ${name}`, () => {
      for (const event of [revoked(), ...withThrowing(EVENT)]) assert.ok(Array.isArray(dialect.encode(event as never)));
      assert.deepEqual(dialect.encode(revoked() as never), []);
    });
  }
});

describe('an identifier as long as the wire takes', () => {
  const long = '🦊'.repeat(256);
  it('is read and given back, however many code units it has', () => {
    const frame = { callId: long, title: 'T', current: 1, total: 2, status: 'running', message: '', parentCallId: long };
    const read = reportProgress.decode(frame, { session: 'chat-1', at: 1 });
    assert.ok(read.ok);
    assert.deepEqual(
      read.events.flatMap((event) => reportProgress.encode(event)),
      [frame],
    );
    const rig = toolProgress.decode({ internal_call_id: long, sequence: 1 }, { session: 'chat-1', at: 1 });
    assert.ok(rig.ok && rig.events[0]?.type === 'operation' && rig.events[0].id === long);
    assert.equal(toolProgress.decode({ internal_call_id: `${long}a`, sequence: 1 }, { session: 'chat-1', at: 1 }).ok, false);
  });
});
