import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventOf, reduceOperation } from '@sitrep/schema/reduce';
import { FINAL_STATES } from '@sitrep/schema/wire';
import { op, run } from './events.ts';

describe('the first event of an operation', () => {
  it('begins a pending record when it names no state', () => {
    assert.deepEqual(run(op({ title: 'A' })).state, { id: 'call-1', attempt: 1, state: 'pending', updatedAt: 1000, title: 'A' });
  });
  it('keeps a final state without inventing an amount', () => {
    const { state } = run(op({ state: 'completed', at: 7 }));
    assert.deepEqual(state, { id: 'call-1', attempt: 1, state: 'completed', updatedAt: 7, endedAt: 7 });
  });
  it('leaves out what it clears', () => {
    assert.equal('title' in run(op({ title: null })).state, false);
  });
});

describe('order', () => {
  it('applies rising sequences and shows the last', () => {
    const { state, outcomes } = run(op({ seq: 1, message: 'a' }), op({ seq: 2, message: 'b' }), op({ seq: 3, message: 'c' }));
    assert.deepEqual(outcomes, ['applied', 'applied', 'applied']);
    assert.equal(state.message, 'c');
  });
  it('drops a lower sequence as stale and an equal one as duplicate', () => {
    const { state, outcomes } = run(op({ seq: 3, message: 'c' }), op({ seq: 2, message: 'b' }), op({ seq: 3, message: 'x' }));
    assert.deepEqual(outcomes, ['applied', 'stale', 'duplicate']);
    assert.equal(state.message, 'c');
  });
  it('takes events without sequence in order of arrival', () => {
    assert.equal(run(op({ at: 5, message: 'a' }), op({ at: 4, message: 'b' })).state.message, 'b');
  });
  it('never lets the amount decide: a falling value with a rising sequence is shown', () => {
    const { state, outcomes } = run(op({ seq: 1, current: 20 }), op({ seq: 2, current: 80 }), op({ seq: 3, current: 40 }));
    assert.deepEqual(outcomes, ['applied', 'applied', 'applied']);
    assert.equal(state.current, 40);
  });
  it('starts a higher attempt afresh and keeps what names the invocation', () => {
    const { state } = run(
      op({
        seq: 9,
        state: 'failed',
        title: 'Build',
        activeTitle: 'Building',
        kind: 'tool',
        tool: { name: 'bash', origin: 'native' },
        parent: 'p',
        cancellable: true,
        current: 3,
        error: { message: 'no' },
      }),
      op({ attempt: 2, seq: 1, at: 2000, state: 'running' }),
    );
    assert.deepEqual(state, {
      id: 'call-1',
      attempt: 2,
      seq: 1,
      state: 'running',
      updatedAt: 2000,
      title: 'Build',
      activeTitle: 'Building',
      kind: 'tool',
      tool: { name: 'bash', origin: 'native' },
      parent: 'p',
      cancellable: true,
      startedAt: 2000,
    });
  });
  it('drops a lower attempt as stale, and reads a missing attempt as the first', () => {
    const { state, outcomes } = run(op({ attempt: 2, state: 'running' }), op({ attempt: 1, state: 'failed' }), op({ state: 'completed' }));
    assert.deepEqual(outcomes, ['applied', 'stale', 'stale']);
    assert.equal(state.state, 'running');
  });
});

describe('finality', () => {
  for (const final of FINAL_STATES) {
    it(`drops every other state after ${final} as late and changes nothing`, () => {
      const ended = run(op({ state: 'running' }), op({ state: final, at: 2000 })).state;
      for (const other of ['pending', 'running', 'waiting', 'blocked', 'paused', ...FINAL_STATES] as const) {
        if (other === final) continue;
        const { state, outcome } = reduceOperation(ended, op({ state: other, at: 3000, message: 'x' }));
        assert.equal(outcome, 'late');
        assert.equal(state, ended);
      }
      assert.equal(reduceOperation(ended, op({ at: 3000, message: 'x' })).outcome, 'late');
    });
  }
  it('lets usage enrich an equal state once, and calls the same again a duplicate', () => {
    const { state, outcomes } = run(
      op({ state: 'completed', at: 1 }),
      op({ state: 'completed', at: 2, usage: { tokens: 5 } }),
      op({ state: 'completed', at: 3, usage: { tokens: 5 } }),
      op({ state: 'completed', at: 4 }),
      op({ state: 'completed', at: 5, message: 'more' }),
    );
    assert.deepEqual(outcomes, ['applied', 'applied', 'duplicate', 'duplicate', 'late']);
    assert.deepEqual(state.usage, { tokens: 5 });
    assert.equal(state.endedAt, 1);
    assert.equal('message' in state, false);
  });
  it('adds an end to an ended record that has none', () => {
    const { state, outcome } = reduceOperation(
      { id: 1, attempt: 1, state: 'failed', updatedAt: 1 },
      op({ id: 1, state: 'failed', endedAt: 9, at: 10 }),
    );
    assert.equal(outcome, 'applied');
    assert.equal(state.endedAt, 9);
  });
  it('keeps the last amount of what failed', () => {
    const { state } = run(op({ state: 'running', current: 99, total: 100 }), op({ state: 'failed' }));
    assert.equal(state.current, 99);
  });
});

describe('merge', () => {
  it('keeps absent and undefined fields and clears null ones', () => {
    const { state } = run(op({ title: 'A', message: 'm' }), op({ current: 2, title: undefined, message: null } as never));
    assert.equal(state.title, 'A');
    assert.equal(state.current, 2);
    assert.equal('message' in state, false);
  });
  it('answers the same reference for an event that changes nothing', () => {
    const event = op({ state: 'running', tool: { name: 'bash', origin: 'native' }, ext: { a: [1, { b: 2 }] } });
    const first = reduceOperation(undefined, event).state;
    const again = reduceOperation(first, structuredClone(event));
    assert.equal(again.outcome, 'duplicate');
    assert.equal(again.state, first);
  });
  it('takes a later time alone as a sign of life', () => {
    const { state, outcomes } = run(op({ state: 'running' }), op({ at: 2000 }));
    assert.deepEqual(outcomes, ['applied', 'applied']);
    assert.equal(state.updatedAt, 2000);
  });
  it('ignores members it does not know, also hostile ones', () => {
    const event = JSON.parse(
      '{"type":"operation","session":"chat-1","id":1,"at":1,"__proto__":{"state":"failed"},"constructor":1,"toString":2,"extra":3}',
    );
    assert.deepEqual(run(op({ id: 1, at: 0 }), event).state, { id: 1, attempt: 1, state: 'pending', updatedAt: 1 });
  });
  it('hands out frozen records', () => {
    const { state } = run(
      op({ title: 'A' }),
      op({ title: 'B' }),
      op({ state: 'completed' }),
      op({ state: 'completed', usage: { tokens: 1 } }),
    );
    assert.ok(Object.isFrozen(state));
  });
});

describe('waits and times', () => {
  it('clears blockedOn when the state is no longer blocked, unless the event carries it', () => {
    const blocked = op({ state: 'blocked', blockedOn: { kind: 'permission' } });
    assert.equal('blockedOn' in run(blocked, op({ state: 'running' })).state, false);
    assert.deepEqual(run(blocked, op({ message: 'still' })).state.blockedOn, { kind: 'permission' });
    assert.deepEqual(run(blocked, op({ state: 'running', blockedOn: { kind: 'question' } })).state.blockedOn, { kind: 'question' });
  });
  it('clears waitingOn when the state is no longer waiting', () => {
    assert.equal('waitingOn' in run(op({ state: 'waiting', waitingOn: { text: 'ci' } }), op({ state: 'completed' })).state, false);
  });
  it('takes the start from the first running event, the end from the final one', () => {
    const { state } = run(
      op({ at: 1 }),
      op({ at: 2, state: 'running' }),
      op({ at: 3, state: 'running' }),
      op({ at: 4, state: 'completed' }),
    );
    assert.equal(state.startedAt, 2);
    assert.equal(state.endedAt, 4);
  });
  it('prefers the times the producer names', () => {
    const { state } = run(op({ at: 5, state: 'running', startedAt: 1 }), op({ at: 9, state: 'cancelled', endedAt: 8 }));
    assert.equal(state.startedAt, 1);
    assert.equal(state.endedAt, 8);
  });
});

describe('a record as an event', () => {
  it('begins the same record elsewhere', () => {
    const { state } = run(
      op({ run: 'r', attempt: 2, seq: 4, state: 'running', title: 'A', current: 1, total: 2, ext: { a: 1 } }),
      op({ run: 'r', attempt: 2, seq: 5, at: 2000, state: 'blocked', blockedOn: { kind: 'auth' } }),
    );
    assert.deepEqual(reduceOperation(undefined, eventOf('chat-1', state)), { state, outcome: 'applied' });
  });
});
