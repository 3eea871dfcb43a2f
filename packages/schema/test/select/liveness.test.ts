import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { liveness } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';

const NOW = 1_000_000;
const silent: Operation = { id: 'a', attempt: 1, state: 'running', updatedAt: NOW - 40_000 };

describe('liveness of an operation', () => {
  it('counts what its parts say as its own news', () => {
    assert.equal(liveness(silent, { now: NOW }), 'quiet');
    assert.equal(liveness(silent, { now: NOW, heard: NOW - 1_000 }), 'moving');
    assert.equal(liveness(silent, { now: NOW, heard: NOW - 35_000 }), 'quiet');
    assert.equal(liveness({ ...silent, updatedAt: NOW }, { now: NOW, heard: 0 }), 'moving');
  });

  it('is not talked out of an end, a fault or a stall by its parts', () => {
    assert.equal(liveness({ ...silent, state: 'failed' }, { now: NOW, heard: NOW }), 'settled');
    assert.equal(liveness({ ...silent, reason: 'stalled' }, { now: NOW, heard: NOW }), 'stale');
    assert.equal(liveness(silent, { now: NOW, heard: NOW, connection: { state: 'lost', since: NOW } }), 'lost');
  });
});
