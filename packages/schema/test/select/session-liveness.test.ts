import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sessionLiveness } from '@sitrep/schema/select';
import type { Operation, Run } from '@sitrep/schema';

const NOW = 1_000_000;
const operation = (over: Partial<Operation>): Operation => ({ id: 'a', attempt: 1, state: 'running', updatedAt: NOW, ...over });
const run = (over: Partial<Run>): Run => ({ run: 'r', state: 'running', updatedAt: NOW, ...over });
const of = (operations: Operation[], runs: Run[] = [], card?: { revision: number; updatedAt: number; run: string; card: null }) =>
  sessionLiveness({ operations, runs, card }, { now: NOW });

describe('liveness of a session', () => {
  it('is settled when nothing is open', () => {
    assert.equal(of([]), 'settled');
    assert.equal(of([operation({ state: 'failed' })], [run({ state: 'completed' })]), 'settled');
    assert.equal(of([operation({ ambient: true })]), 'settled');
  });

  it('goes quiet, then stale, with an operation that nobody reports on any more', () => {
    assert.equal(of([operation({})]), 'moving');
    assert.equal(of([operation({ updatedAt: NOW - 31_000 })]), 'quiet');
    assert.equal(of([operation({ updatedAt: NOW - 301_000 })]), 'stale');
  });

  it('is as alive as its liveliest part', () => {
    assert.equal(of([operation({ updatedAt: NOW - 400_000 }), operation({ id: 'b' })]), 'moving');
    assert.equal(of([operation({ state: 'paused' }), operation({ id: 'b', updatedAt: NOW - 31_000 })]), 'quiet');
  });

  it('hears an active run by its card and its operations', () => {
    const silent = run({ updatedAt: NOW - 100_000 });
    assert.equal(of([], [silent]), 'quiet');
    assert.equal(of([operation({ run: 'r', state: 'completed', updatedAt: NOW - 5_000 })], [silent]), 'moving');
    assert.equal(of([], [silent], { revision: 1, updatedAt: NOW - 1_000, run: 'r', card: null }), 'moving');
    assert.equal(of([], [silent], { revision: 1, updatedAt: NOW - 1_000, run: 'former', card: null }), 'quiet');
  });

  it('pauses what a run that is over left open', () => {
    assert.equal(of([operation({ run: 'r' })], [run({ state: 'failed' })]), 'paused');
  });

  it('says what the connection says, unless nothing is open', () => {
    const connection = { state: 'lost', since: NOW } as const;
    assert.equal(sessionLiveness({ operations: [operation({})], runs: [] }, { now: NOW, connection }), 'lost');
    assert.equal(sessionLiveness({ operations: [], runs: [] }, { now: NOW, connection }), 'settled');
  });
});
