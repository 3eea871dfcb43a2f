import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { checkEvent, checkSnapshot, checkStreamEvent } from '@sitrep/schema/check';
import { detect, dialects } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { HOSTILE } from '../hostile-values.ts';
import type { HostileValue } from '../hostile-values.ts';
import { leastTime } from '../work.ts';
import { expand } from './run-fixture.ts';
import type { Fixture } from './run-fixture.ts';

const ROOT = new URL('../../fixtures/', import.meta.url);
const CONTEXT = { session: 'chat-1', run: 'run-1', at: 1000, id: 'call-1' };
/** What a dialect answers that threw while it read. */
const THREW = 'the value could not be read';
/** A long text has to be looked at once and no more: this is a hundred times what that takes. */
const PATIENCE_MS = 3_000;

type Path = readonly string[];

function frames(name: string): unknown[] {
  return readdirSync(new URL(`${name}/`, ROOT)).flatMap((file) => {
    const fixture = JSON.parse(readFileSync(new URL(`${name}/${file}`, ROOT), 'utf8')) as Fixture;
    if (fixture.normal !== undefined || fixture.receipts !== undefined) return [];
    return [...(fixture.direction === 'out' ? [] : fixture.input.map(expand)), ...(fixture.encoded ?? [])];
  });
}

/** Every place in a frame, the frame itself first. */
function* paths(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) yield* paths(member, [...path, key]);
}

/** The frame with another value in one place. */
function put(frame: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const copy = (Array.isArray(frame) ? [...(frame as unknown[])] : { ...(frame as object) }) as Record<string, unknown>;
  copy[key] = put(copy[key], rest, value);
  return copy;
}

/** Frames of one shape need not be tried twice: a place is known by the keys that lead to it and the words on the way. */
function places(all: readonly unknown[]): { frame: unknown; path: Path }[] {
  const seen = new Map<string, { frame: unknown; path: Path }>();
  for (const frame of all) {
    const kind = JSON.stringify(Object.entries(Object(frame)).filter(([, member]) => typeof member === 'string' && member.length < 40));
    for (const path of paths(frame)) {
      const name = `${kind} ${path.map((key) => (/^\d+$/.test(key) ? '#' : key)).join('/')}`;
      if (!seen.has(name)) seen.set(name, { frame, path });
    }
  }
  return [...seen.values()];
}

/** What is huge goes into a few places spread over the frames, everything else into all of them. */
function chosen<T>({ isHuge }: HostileValue, all: readonly T[]): readonly T[] {
  return isHuge ? all.filter((_, index) => index % Math.ceil(all.length / 12) === 0) : all;
}

function judge(dialect: Dialect<unknown>, frame: unknown, where: string): void {
  assert.equal(typeof dialect.detect(frame), 'boolean', where);
  const decoded = dialect.decode(frame, CONTEXT);
  if (!decoded.ok) {
    assert.ok(decoded.issues.length > 0, where);
    for (const { message } of decoded.issues) assert.ok(!message.includes(THREW) && message.length < 1_000, `${where}: ${message}`);
    return;
  }
  for (const event of decoded.events) {
    const checked = checkEvent(event);
    assert.ok(checked.ok, `${where}: ${JSON.stringify(checked)}`);
    assert.deepEqual(checked.value, event, where);
    assert.ok(JSON.stringify(event).length < 200_000, where);
    assert.ok(Array.isArray(dialect.encode(event)), where);
  }
}

function spread(dialect: Dialect<unknown>, value: HostileValue, all: readonly { frame: unknown; path: Path }[]): void {
  for (const { frame, path } of chosen(value, all)) judge(dialect, put(frame, path, value.make()), `${value.file} at /${path.join('/')}`);
}

describe('hostile values', () => {
  for (const [name, dialect] of Object.entries(dialects) as [string, Dialect<unknown>][]) {
    it(`in any place of a frame of ${name} are read or refused with a reason`, () => {
      const all = places(frames(name));
      for (const value of HOSTILE) {
        const alone = leastTime(() => judge(dialect, value.make(), value.file), PATIENCE_MS);
        assert.ok(alone < PATIENCE_MS, `${value.file} alone took ${alone} ms`);
        spread(dialect, value, all);
      }
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
      assert.equal(({} as Record<string, unknown>)['state'], undefined);
    });
  }

  it('in any place of our own events and snapshots are read or refused with a reason', () => {
    const own = [
      {
        type: 'operation',
        session: 's',
        id: 'a',
        run: 'r',
        at: 1,
        seq: 1,
        attempt: 1,
        state: 'blocked',
        title: 't',
        current: 1,
        total: 2,
        tool: { name: 'x', origin: 'native' },
        blockedOn: { kind: 'question', prompt: 'p' },
        usage: { tokens: 1, cost: { amount: 1, currency: 'EUR' } },
        native: { protocol: 'p', state: 's', ids: { a: 1 } },
        ext: { a: 1 },
      },
      { type: 'card', session: 's', revision: 1, at: 1, card: { plan: [{ step: 'x', status: 'pending' }], markdown: 'm' } },
      { type: 'run', session: 's', run: 'r', state: 'running', at: 1 },
      { type: 'session', session: 's', at: 1, title: 't', usage: { label: 'l' } },
      {
        type: 'snapshot',
        session: 's',
        epoch: 'e',
        seq: 1,
        at: 1,
        card: null,
        revision: 0,
        operations: [{ id: 'a', attempt: 1, state: 'running', updatedAt: 1 }],
        runs: [],
      },
    ];
    const all = places(own);
    for (const check of [checkEvent, checkStreamEvent, checkSnapshot]) {
      for (const value of HOSTILE) {
        for (const { frame, path } of chosen(value, all)) {
          const where = `${value.file} at /${path.join('/')}`;
          const checked = check(put(frame, path, value.make()));
          if (!checked.ok)
            assert.ok(
              checked.issues.length > 0 && checked.issues.every(({ message }) => !message.includes(THREW) && message.length < 1_000),
              where,
            );
        }
      }
    }
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('are no frames of anybody', () => {
    for (const { make, file } of HOSTILE) assert.equal(detect(make()), 'unknown', file);
  });
});
