import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { detect, dialects } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { revoked } from '../hostile.ts';
import { expand } from './run-fixture.ts';
import type { Fixture } from './run-fixture.ts';

const ROOT = new URL('../../fixtures/', import.meta.url);
const NAMES = Object.keys(dialects) as (keyof typeof dialects)[];

/** Frames of the peer in the fixtures of one dialect: what comes in, and what is written. */
function frames(name: string): unknown[] {
  return readdirSync(new URL(`${name}/`, ROOT)).flatMap((file) => {
    const fixture = JSON.parse(readFileSync(new URL(`${name}/${file}`, ROOT), 'utf8')) as Fixture;
    if (fixture.normal !== undefined || fixture.receipts !== undefined) return [];
    return [...(fixture.direction === 'out' ? [] : fixture.input.map(expand)), ...(fixture.encoded ?? [])];
  });
}

describe('detecting', () => {
  for (const name of NAMES) {
    it(`takes no frame of ${name} for one of another dialect, nor for ours`, () => {
      const others = NAMES.filter((other) => other !== name).map((other) => dialects[other] as Dialect<unknown>);
      for (const frame of frames(name)) {
        const taken = others.filter((other) => other.detect(frame)).map((other) => other.name);
        assert.deepEqual(taken, [], JSON.stringify(frame));
        assert.ok([name, 'unknown'].includes(detect(frame)), JSON.stringify(frame));
      }
    });
  }
  it('knows most frames of every dialect that can be read', () => {
    for (const name of NAMES) {
      const dialect = dialects[name] as Dialect<unknown>;
      const readable = frames(name).filter((frame) => dialect.decode(frame, { session: 'chat-1', at: 1, id: 'x' }).ok);
      if (readable.length === 0) continue;
      const known = readable.filter((frame) => detect(frame) === name);
      assert.ok(known.length >= readable.length / 2, `${name}: ${known.length} of ${readable.length}`);
    }
  });
  it('knows our own events, and nothing in what is no frame', () => {
    assert.equal(detect({ type: 'operation', session: 's', id: 'a', at: 1 }), 'sitrep');
    assert.equal(detect({ type: 'heartbeat', epoch: 'e', seq: 1, at: 1 }), 'sitrep');
    assert.equal(detect({ type: 'end', reason: 'closed' }), 'sitrep');
    for (const value of [undefined, null, 1, '', 'text', [], {}, { type: 'run' }, { type: 'end' }, revoked()])
      assert.equal(detect(value), 'unknown');
  });
});
