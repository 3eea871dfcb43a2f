import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sessionState, type SessionParts } from '@sitrep/schema/select';
import { NO_CARD } from '@sitrep/schema/reduce';
import type { Operation, Run } from '@sitrep/schema';

const NOW = 1_000_000;
const LONG_AGO = NOW - 100_000;
const operation = (over: Partial<Operation>): Operation => ({ id: 'a', attempt: 1, state: 'running', updatedAt: NOW, ...over });
const run = (over: Partial<Run>): Run => ({ run: 'r', state: 'running', updatedAt: NOW, ...over });
const of = (parts: Partial<SessionParts>, connection?: 'live' | 'reconnecting' | 'lost') =>
  sessionState(
    { operations: [], runs: [], card: NO_CARD, ...parts },
    { now: NOW, connection: connection && { state: connection, since: 0 } },
  );

describe('the one word for a session', () => {
  it('is what it is up to', () => {
    assert.equal(of({ operations: [operation({})] }), 'working');
    assert.equal(of({ operations: [operation({ state: 'waiting' })] }), 'waiting');
    assert.equal(of({ operations: [operation({ state: 'completed' })] }), 'done');
    assert.equal(of({ runs: [run({ state: 'failed' })] }), 'failed');
    assert.equal(of({}), 'idle');
  });

  it('is not "working" when nobody was heard for a while', () => {
    assert.equal(of({ operations: [operation({ updatedAt: LONG_AGO })] }), 'quiet');
    assert.equal(of({ operations: [operation({ updatedAt: 0 })] }), 'stale');
    assert.equal(of({ runs: [run({ updatedAt: LONG_AGO })] }), 'quiet');
    assert.equal(of({ runs: [run({ updatedAt: LONG_AGO })], operations: [operation({ run: 'r' })] }), 'working');
  });

  it('keeps asking for the person it needs, however long nothing else is heard', () => {
    const operations = [operation({ state: 'blocked', updatedAt: 0 })];
    assert.equal(of({ operations, runs: [run({ updatedAt: 0 })] }), 'needs-you');
    assert.equal(of({ operations }, 'lost'), 'lost');
  });

  it('says what is wrong with the connection only where something should be going on', () => {
    assert.equal(of({ operations: [operation({})] }, 'reconnecting'), 'reconnecting');
    assert.equal(of({ operations: [operation({ state: 'completed' })] }, 'lost'), 'done');
  });

  it('says how a run ended that did not succeed or fail', () => {
    assert.equal(of({ runs: [run({ state: 'interrupted' })], operations: [operation({ run: 'r', state: 'interrupted' })] }), 'interrupted');
    assert.equal(of({ runs: [run({ state: 'cancelled' })] }), 'cancelled');
    assert.equal(of({ operations: [operation({ state: 'paused' })] }), 'paused');
  });

  it('lets a card speak for itself where nothing else does', () => {
    const card = (status: 'in_progress' | 'completed' | 'failed' | 'pending', updatedAt = NOW) => ({
      revision: 1,
      updatedAt,
      card: { plan: [{ step: 'one', status }] },
    });
    assert.equal(of({ card: card('in_progress') }), 'working');
    assert.equal(of({ card: card('pending') }), 'idle');
    assert.equal(of({ card: card('in_progress', LONG_AGO) }), 'quiet');
    assert.equal(of({ card: card('completed') }), 'done');
    assert.equal(of({ card: card('failed') }), 'failed');
  });

  it('is not out of date while a card without a run was written a moment ago, whatever else is silent', () => {
    const card = { revision: 1, updatedAt: NOW - 5_000, card: { plan: [{ step: 'one', status: 'in_progress' as const }] } };
    const silent = run({ updatedAt: 0, startedAt: 0 });
    const left = operation({ updatedAt: 0 });
    assert.equal(of({ runs: [silent] }), 'stale');
    assert.equal(of({ runs: [silent], card }), 'working');
    assert.equal(of({ runs: [silent], card: { ...card, updatedAt: 0 } }), 'stale');
    assert.equal(of({ runs: [silent], card: { ...card, run: 'another' } }), 'stale');
    assert.equal(of({ operations: [left], card }), 'working');
    assert.equal(of({ operations: [left], runs: [run({ run: 'former', state: 'completed' })], card }), 'working');
  });
});
